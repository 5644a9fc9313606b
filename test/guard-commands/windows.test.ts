import { expect, test } from "vitest";
import { decide, judge, windows } from "./world.ts";

test.each([
  ["Set-Content .env x", "deny"],
  ["Set-Content C:\\Users\\dev\\app\\migrations\\1.sql x", "deny"],
  ["Set-Content 'c:\\users\\dev\\APP\\migrations\\1.sql' x", "deny"],
  ["echo x > C:/Users/dev/app/.github/workflows/a.yml", "deny"],
  ["echo x > /c/Users/dev/app/migrations/1.sql", "deny"],
  ["cd src; Set-Content ..\\.env x", "deny"],
  ["cd C:\\Users\\dev\\app\\secrets; Set-Content a x", "deny"],
  ["Remove-Item -Recurse .", "ask"],
  ["rm -rf /c/Users/dev", "ask"],
  ["Remove-Item -Recurse ~\\Documents", "ask"],
  ["cd ..; Remove-Item -Recurse app", "ask"],
  ["Remove-Item C:\\Users\\dev\\notes.txt", "ask"],
  ["rd /s /q C:\\Windows", "ask"],
  ["Remove-Item -Recurse dist", "allow"],
  ["Remove-Item -Recurse C:\\Users\\dev\\app\\dist", "allow"],
  ["Remove-Item -Recurse c:\\users\\DEV\\app\\dist", "allow"],
  ["rm -rf /c/Users/dev/app/dist", "allow"],
  ["Remove-Item -Recurse -Force $env:TEMP\\x", "allow"],
  ["Set-Content src\\a.ts x", "allow"],
])("on Windows, %s: %s", (command, verdict) => {
  expect(decide(command, windows)).toBe(verdict);
});

test("one path of Windows has one spelling for the rules", () => {
  const paths = (command: string) => [
    ...new Set(judge(command, windows).analysis.touches.map((one) => one.path)),
  ];
  expect({
    powershell: paths("Set-Content C:\\Users\\dev\\app\\a.ts x"),
    slashes: paths("echo x > C:/Users/dev/app/a.ts"),
    gitBash: paths("echo x > /c/Users/dev/app/a.ts"),
    relative: paths("Set-Content .\\a.ts x"),
  }).toEqual({
    powershell: ["/C:/Users/dev/app/a.ts"],
    slashes: ["/C:/Users/dev/app/a.ts"],
    gitBash: ["/C:/Users/dev/app/a.ts"],
    relative: ["/C:/Users/dev/app/a.ts"],
  });
});
