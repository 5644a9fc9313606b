import { EVERY_KEY } from "../../../../shell/marks.ts";
import type { Step } from "../../../../shell/model.ts";
import type { Pack } from "../rule.ts";
import { isLossySql } from "../sql.ts";
import { sentSql } from "../sql-over-http.ts";

/** Databases, queues and backups. */
export const data: Pack = {
  name: "database",
  title: "Databases, queues and backups",
  rules: [
    {
      id: "database/drop",
      words: "drops, empties or resets a database",
      loss: "The data in it, unless a backup exists.",
      safer:
        "Look first at what is in it, with a command that only lists or counts, and let a person drop it. A test database goes by its own environment, such as `RAILS_ENV=test rails db:drop`.",
      match: [
        "dropdb|dropuser|pg_dropcluster|pg_resetwal !--version|-V|--help|-?",
        "pg_restore -c|--clean !-l|--list|-f|--file",
        "mysqladmin|mariadb-admin drop|shutdown",
        "mongorestore|mongoimport --drop !--dryRun",
        "redis-cli|valkey-cli|keydb-cli flushall|flushdb|shutdown|debug|swapdb|replicaof|slaveof",
        "redis-cli|valkey-cli|keydb-cli cluster reset|flushslots",
        "redis-cli|valkey-cli ** del-node|flushall|flushdb --cluster",
        "rails|rake ** db:drop*|db:reset*|db:schema:load*|db:purge*|db:migrate:reset*|db:structure:load*|db:truncate_all*|db:setup*|db:seed:replant*",
        "supabase db reset",
        "sequelize|sequelize-cli db:drop|db:migrate:undo:all|db:seed:undo:all",
        "artisan|sail|php ** migrate:fresh|migrate:refresh|migrate:reset|db:wipe|schema:drop !--help|--pretend !help|list",
        "node ace migration:fresh|migration:reset|migration:refresh|db:wipe|db:truncate",
        "adonis migration:reset|migration:refresh",
        "php|yii ** migrate/fresh",
        "php|yii ** migrate/down all",
        "phinx rollback -t=0|--target=0",
        "php artisan|spark|bin/console migrate:fresh|migrate:refresh|migrate:reset|db:wipe|doctrine:database:drop|doctrine:schema:drop|doctrine:mongodb:schema:drop !--pretend|--dump-sql",
        "php|console|symfony ** doctrine:fixtures:load|hautelook:fixtures:load !--append",
        "console|php|symfony ** d:d:d|d:s:d|doctrine:d:d|doctrine:s:d !--dump-sql",
        "console|php|symfony|doctrine ** doctrine:schema:drop|orm:schema-tool:drop|d:s:d|doctrine:s:d --force",
        "console|doctrine doctrine:database:drop|doctrine:schema:drop|orm:schema-tool:drop !--dump-sql",
        "mix ** ecto.drop*|ecto.reset* !help",
        "mix ecto.rollback --all",
        "drizzle-kit push --force",
        "drizzle-kit drop",
        "dotnet ef database drop !--dry-run",
        "dotnet ef database update 0",
        "meteor reset",
        "symfony console doctrine:database:drop|doctrine:schema:drop !--dump-sql",
        "prisma migrate reset",
        "prisma db push --force-reset|--accept-data-loss",
        "typeorm|typeorm-ts-node-commonjs|typeorm-ts-node-esm schema:drop",
        "mikro-orm|mikro-orm-esm schema:drop|schema:fresh|migration:fresh|database:drop",
        "knex migrate:rollback --all",
        "manage.py flush|reset_db|reset_schema|zap|sqlreset",
        "python|python3 manage.py|*/manage.py flush|reset_db|reset_schema",
        "django-admin|django flush|reset_db",
        "manage.py|django-admin migrate * zero",
        "python|python3 manage.py|*/manage.py migrate * zero",
        "flask db downgrade !--sql",
        "alembic downgrade base !--sql",
        "flyway clean",
        "mvn|mvnw ** flyway:clean|liquibase:dropall",
        "gradle|gradlew|gradlew.bat ** flywayclean|*:flywayclean|dropall|*:dropall",
        "liquibase dropall|drop-all|drop*",
        "goose ** reset|down-to",
        "migrate ** drop",
        "migrate ** down -all",
        "dbmate drop",
        "diesel database reset|drop",
        "diesel migration revert|redo -a|--all",
        "sqlx database|db drop|reset",
        "cargo sqlx database|db drop|reset",
        "soda reset|drop",
        "hanami db drop|reset",
        "rethinkdb-restore --force",
        "sea-orm-cli migrate fresh|refresh|reset",
        "atlas schema clean",
        "atlas schema apply --auto-approve !--dry-run",
        "wp db drop|reset|clean",
        "wp site empty|delete",
        "drush sql:drop|sql-drop|site:install|sql-sync",
        "hasura metadata clear",
        "hasura migrate apply --down=all|--goto=0",
        "strapi|medusa db:reset",
        "influx delete",
        "influx bucket|org|user|auth delete",
        "heroku pg:reset|redis:reset",
        "convex import --replace|--replace-all",
        "couchbase-cli bucket-delete|bucket-flush",
        "nodetool decommission|removenode|assassinate|clearsnapshot",
        "neo4j-admin database|dbms delete|drop",
        "pscale database|branch|keyspace delete",
        "neonctl|neon projects|branches|databases delete|reset|restore",
        "turso db|group destroy",
        "edgedb|gel database|branch|instance drop|wipe|destroy",
        "cockroach node drain|decommission",
        "xata branch|database|workspace delete",
        "firebase firestore:delete|database:remove|database:set|firestore:databases:delete",
      ],
      programs: sqlPrograms(),
      step: (step) =>
        lossyScript(step) ||
        goesAllTheWayDown(step) ||
        deletesEveryKey(step) ||
        sentSql(step).some(isLossySql) ||
        clientText(step).some((text) => isLossySql(text) || lossyMongo(step, text) || lossyRedis(step, text)),
    },
    {
      id: "queue/purge",
      words: "deletes or empties a queue or topic",
      loss: "Messages that nobody has worked on yet.",
      safer: "List first, such as `kafka-topics.sh --bootstrap-server localhost:9092 --list`.",
      match: [
        "kafka-topics|kafka-topics.sh|kafka-consumer-groups|kafka-consumer-groups.sh|kafka-acls|kafka-acls.sh --delete",
        "kafka-topics|kafka-topics.sh|kafka-consumer-groups|kafka-consumer-groups.sh|kafka-configs.sh --delete-offsets",
        "kafka-consumer-groups|kafka-consumer-groups.sh --reset-offsets --execute",
        "kafka-delete-records|kafka-delete-records.sh --offset-json-file",
        "rpk topic|group delete|trim-prefix",
        "kcat|kafkactl delete",
        "rabbitmqctl ** reset|force_reset|delete_queue|purge_queue|delete_vhost|delete_user|stop_app|forget_cluster_node",
        "rabbitmqadmin ** delete|purge",
        "nats stream|consumer|kv|object rm|purge|del|delete",
        "celery ** purge",
        "rq empty",
        "mqadmin deletetopic|deletesubgroup",
        "pulsar-admin topics|namespaces|tenants delete|delete-partitioned-topic|clear-backlog",
        "ccloud|confluent kafka topic|cluster delete",
      ],
    },
    {
      id: "backup/delete",
      words: "deletes backups or snapshots",
      loss: "The way back after the next accident.",
      safer: "List them: `restic snapshots`, `borg list /backups/repo`.",
      match: [
        "restic forget|prune !--dry-run|-n",
        "restic ** key remove",
        "borg|borgmatic delete|prune|compact !--dry-run|-n",
        "rclone purge|delete|deletefile|rmdirs|cleanup|sync !--dry-run|-n",
        "proxmox-backup-client ** forget|prune !--dry-run",
        "duplicity remove-older-than|remove-all-but-n-full|cleanup --force",
        "duplicacy prune",
        "tarsnap -d|--nuke",
        "kopia snapshot delete",
        "kopia repository|maintenance disconnect|delete",
        "velero backup|schedule|restore delete",
        "pgbackrest|wal-g ** stanza-delete|expire|delete",
        "barman delete",
        "timeshift --delete|--delete-all",
        "tmutil delete|deletelocalsnapshots|disable|removedestination",
        "snapper ** delete|rm|remove",
        "rsnapshot-diff delete",
        "mc rm -r|--recursive|--force !--dry-run",
        "mc rb",
        "mc mirror --remove !--dry-run",
        "s3cmd|s4cmd sync --delete-removed !-n|--dry-run",
        "s3cmd|s4cmd|s5cmd rb|del|rm !-n|--dry-run",
        "b2 delete-bucket|delete-file-version|rm",
      ],
    },
  ],
};

function sqlPrograms(): string[] {
  return "psql pgcli mysql mycli mariadb sqlite3 sqlite duckdb clickhouse clickhouse-client cockroach sqlcmd mssql-cli usql cqlsh snowsql bq trino presto beeline hive impala-shell athenacli isql sqlplus vsql litecli turso invoke-sqlcmd wrangler supabase heroku prisma rails rake mongo mongosh redis-cli valkey-cli iredis keydb-cli dolt gobang cbq nc ncat netcat telnet neonctl psqldef flyctl fly influx cypher-shell surreal arangosh osql sql sqlcl db2 tsql snow spark-sql ysqlsh ycqlsh crash php migrate python python3 manage.py django-admin aws gcloud railway curl wget http https xh".split(
    " ",
  );
}

/** Text that a database client is given: options, operands and standard input. */
function clientText(step: Step): string[] {
  // What is only in memory is gone in any case.
  if (step.name === "sqlite3" && step.args.includes(":memory:")) return [];
  if (/^(?:curl|wget|https?|xh)$/.test(step.name) || runsOwnScript(step)) return [];
  const input = step.stdin.text;
  if (/^(?:aws|gcloud|railway)$/.test(step.name))
    return [...statementsOf(step.args), ...(step.args.includes("connect") ? [input] : [])];
  return [
    ...step.scripts,
    ...step.args.map((arg) => arg.replace(/^--?[\w-]+=/, "").replace(/^-[ceqQ](?=[A-Za-z])/, "")),
    ...(input === "" ? [] : [input]),
  ];
}

/** `aws rds-data execute-statement --sql …`, `gcloud spanner databases ddl update --ddl=…`. */
function statementsOf(args: readonly string[]): string[] {
  const option = /^--(?:sqls?|ddl|query-string|statement)(?:=|$)/;
  return args.flatMap((word, at) => {
    if (!option.test(word)) return [];
    return word.includes("=") ? [word.slice(word.indexOf("=") + 1)] : (args[at + 1] ?? []);
  });
}

/** `node check.js 'DROP TABLE x'`: what a script of the project is given is data, unless a framework reads it. */
function runsOwnScript({ name, args }: Step): boolean {
  const framework = /(?:^|\/)(?:manage\.py|artisan|console|spark|yii|ace|think)$/;
  return /^(?:node|python3?|php)$/.test(name) && !args.some((word) => framework.test(word));
}

/** `redis-cli --scan | xargs redis-cli del`. */
function deletesEveryKey(step: Step): boolean {
  return /^(?:redis-cli|valkey-cli|keydb-cli)$/.test(step.name) && step.args.includes(EVERY_KEY);
}

/** `migrate … down` without a number takes every migration back. */
function goesAllTheWayDown({ name, args }: Step): boolean {
  return name === "migrate" && args.at(-1) === "down";
}

/** `rails runner`, Django's `shell -c` and their consoles with code that empties a table. */
function lossyScript(step: Step): boolean {
  const code = [...step.args, ...step.scripts, step.stdin.text].join(" ");
  if (step.name === "rails")
    return (
      /^(?:runner|r|console|c)$/.test(step.args[0] ?? "") &&
      (/\b(?:delete_all|destroy_all|drop_table|truncate)\b|&:(?:destroy|delete)\b/.test(code) ||
        /\bexecute\b.*\b(?:drop|truncate)\s+(?:table|database|schema)\b/i.test(code))
    );
  if (step.name === "php")
    return step.args.includes("tinker") && /::truncate\(|::query\(\)->delete\(|Schema::drop/.test(code);
  return (
    /manage\.py|django-admin/.test(`${step.name} ${step.args[0]}`) &&
    /\.objects\.all\(\)\.delete\(/.test(code)
  );
}

function lossyMongo(step: Step, text: string): boolean {
  if (step.name === "arangosh") return /\b_(?:drop|dropDatabase|truncate)\(|\.(?:drop|truncate)\(/.test(text);
  if (step.name === "cypher-shell") return /\bdelete\b/i.test(text) && !/\bwhere\b|\{/i.test(text);
  if (!/^(?:mongo|mongosh)$/.test(step.name)) return false;
  const calls = text.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, "''");
  return (
    /\.(?:dropDatabase|drop|dropIndex|dropIndexes|dropAllUsers|dropUser|shutdownServer)\s*\(|\.(?:deleteMany|remove|updateMany)\s*\(\s*(?:\{\s*\}|\))/.test(
      calls,
    ) || /\bdrop(?:Database)?\s*:\s*["'\d]/.test(text)
  );
}

function lossyRedis(step: Step, text: string): boolean {
  // Redis and memcached speak plain lines, so that a bare connection will do.
  if (/^(?:nc|ncat|netcat|telnet)$/.test(step.name))
    return /^\s*flush(?:all|db|_all)\b/im.test(step.stdin.text);
  if (!/^(?:redis-cli|valkey-cli|iredis|keydb-cli)$/.test(step.name)) return false;
  return text === step.stdin.text || /redis\.call/.test(text)
    ? /\bflush(?:all|db)\b|\bkeys["']\s*,\s*["']\*["'][\s\S]*\b(?:del|unlink)\b/i.test(text)
    : false;
}
