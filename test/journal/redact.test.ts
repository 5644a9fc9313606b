import { describe, expect, it } from "vitest";
import { redact } from "../../src/journal/redact.ts";

describe("what is kept of a command", () => {
  it.each([
    "curl -H 'Authorization: Bearer hunter2' https://x",
    "curl -H 'X-Api-Key: hunter2' https://x",
    "mysql -uroot -phunter2 app",
    "curl -u bob:hunter2 https://x",
    "curl --user bob:hunter2 https://x",
    "DB_PASS=hunter2 npm start",
    "export MY_SECRET_TOKEN='hunter2'",
    "sshpass -p hunter2 ssh host",
    "docker login -u me -p hunter2 registry",
    "echo hunter2 | docker login --password-stdin",
    "redis-cli -h cache -a hunter2 PING",
    "openssl enc -aes-256-cbc -k hunter2 -in a",
    "vault login hunter2",
    "npm config set //registry.example/:_authToken hunter2",
    "npm config set //registry.example/:_authToken=hunter2",
    'curl -d \'{"user":"bob","password":"hunter2"}\' https://x',
    'curl -d "{\\"password\\":\\"hunter2\\"}" https://x',
    'curl -d \'{"client_secret": "hunter2"}\' https://x',
    "python3 -c \"requests.get(u, auth=('bob','hunter2'))\"",
    "git clone https://bob:hunter2@example.com/a.git",
    "git clone https://hunter2hunter2@example.com/a/b",
    "heroku config:set SECRET_KEY=hunter2 -a app",
    "PRIVATE_KEY='hunter2' node sign.js",
    "curl -H 'Cookie: sid=hunter2; lang=en' https://x",
    "curl -b sid=hunter2 https://x",
    "tool --password=hunter2 --verbose",
    "tool --db-password hunter2",
    "TOOL --DB-PASSWORD hunter2",
    "MYSQL -uroot -phunter2 app",
    "7z x -p hunter2 a.7z",
    "helm registry login -u me -p hunter2 r",
    "redis-cli CONFIG SET requireauth hunter2",
    "deploy ghp_hunter2hunter2hunter2",
    "deploy AKIAHUNTERhunter2hunter2",
    "deploy eyJhunter2hunter2.hunter2hunter2.x",
  ])("holds no secret: %s", (command) => {
    expect(redact(command)).not.toContain("hunter2");
  });

  it.each([
    "git commit -m 'rename the password field'",
    "cd src && npm run build 2>&1 | tail -20",
    "ls -la secrets/ && cat tokens.md",
    "tar -xpf a.tar && mkdir -p out",
    "curl -u https://example.com/a",
    "git clone https://alice@dev.example.com/org/app",
    "git clone ssh://git@example.com/a.git",
    "curl -b jar.txt https://x",
    "sort -k 2 --key=3 monkey.txt",
  ])("keeps what is no secret: %s", (command) => {
    expect(redact(command)).toBe(command);
  });
});
