import type { RuleExamples } from "./examples.ts";

/** Commands that hit each rule, and near misses that must not. */
export const dataExamples: RuleExamples = {
  "database/drop": {
    hits: [
      "redis-cli --scan --pattern '*' | xargs redis-cli del",
      "npx drizzle-kit drop",
      "dropdb app",
      "dropuser x",
      "flyway clean",
      "rails db:drop",
      "mix ecto.reset",
      "rake db:drop:all",
      "bin/rake db:purge",
      "liquibase dropAll",
      "supabase db reset",
      "wp db reset --yes",
      "redis-cli flushall",
      "sqlx database drop",
      "mysqladmin drop app",
      "php artisan db:wipe",
      "./manage.py reset_db",
      "diesel database reset",
    ],
    misses: [
      'sqlite3 :memory: "create table t(a); drop table t"',
      "redis-cli del key",
      "psql -l",
      "rails db:seed",
      "supabase start",
      "flyway migrate",
      "rails db:create",
      "redis-cli --scan",
      "rails db:migrate",
      "supabase db push",
      "redis-cli DEL key",
      "psql -c 'SELECT 1'",
      "redis-cli KEYS '*'",
      "npx prisma db push",
    ],
  },
  "queue/purge": {
    hits: [
      "celery -A app purge",
      "rabbitmqctl purge_queue x",
      "rabbitmqctl delete_queue x",
      "rabbitmqadmin delete queue name=x",
      "kafka-topics.sh --zookeeper z --topic x --delete",
      "kafka-topics --delete --topic x --bootstrap-server b:1",
    ],
    misses: [
      "kafka-topics.sh --bootstrap-server localhost:9092 --list",
      "celery -A app worker",
      "kafka-topics --list",
      "rabbitmqctl list_queues",
    ],
  },
  "backup/delete": {
    hits: [
      "rclone delete remote:x",
      "velero backup delete x",
      "restic -r /b forget abc",
      "borg prune --keep-daily 7 repo",
      "restic forget --prune --keep-last 1",
    ],
    misses: ["restic snapshots", "borg list /backups/repo", "rclone copy a remote:b", "restic backup /x"],
  },
};
