import type { Step } from "../../../../shell/model.ts";
import type { Pack } from "../rule.ts";
import { deletesByMutation } from "../sql-over-http.ts";
import { containers } from "./containers.ts";

/** Containers, clusters, infrastructure and clouds. */
export const cloud: Pack = {
  name: "cloud",
  title: "Containers, clusters and clouds",
  rules: [
    ...containers,
    {
      id: "infrastructure/destroy",
      words: "changes or destroys infrastructure without a review",
      loss: "Machines, networks and data that the configuration describes.",
      safer: "Make a plan that a person can read: `terraform plan -out=plan.bin`.",
      match: [
        "terraform|tofu|terragrunt|tf destroy !-help",
        "terraform|tofu|terragrunt|tf apply -auto-approve",
        "terraform|tofu|terragrunt|tf apply -destroy",
        "terragrunt ** run-all|apply-all|destroy-all apply|destroy",
        "terragrunt destroy-all|apply-all",
        "terragrunt run --all apply|destroy",
        "terragrunt stack run apply|destroy",
        "terraform|tofu|tf state rm|push|replace-provider",
        "terraform|tofu|tf workspace delete",
        "terraform|tofu|tf taint",
        "terraform|tofu|tf force-unlock",
        "pulumi ** destroy|down !--preview-only",
        "pulumi ** up|update -y|--yes|-f|--skip-preview",
        "pulumi stack rm",
        "pulumi state delete",
        "pulumi cancel",
        "cdk|aws-cdk destroy",
        "cdk|aws-cdk deploy --require-approval=never",
        "atmos terraform destroy|clean|deploy",
        "cdktf destroy",
        "cdktf deploy|apply --auto-approve",
        "sst remove|delete",
        "serverless|sls remove",
        "sam delete",
        "sam deploy --no-confirm-changeset !--no-execute-changeset",
        "zappa undeploy",
        "arc|claudia destroy",
        "az deployment ** create --mode=complete",
        "knife ** delete",
        "copilot ** delete|pause",
        "amplify delete",
        "chalice delete",
        "up stack delete",
        "ansible ** -m=reboot|--module-name=reboot",
        "packer|nixops|morph|colmena destroy|delete",
        "crossplane xpkg delete",
        "waypoint destroy",
        "spacectl stack delete|discard",
      ],
      programs: ["terraform", "tofu", "terragrunt", "tf", "cdk", "ansible", "ansible-playbook"],
      step: (step) => approvedByVariable(step) || answeredYes(step) || takesAway(step),
    },
    {
      id: "cloud/delete",
      words: "deletes resources in a cloud account",
      loss: "Machines, storage, databases or whole projects; many of them cannot be restored.",
      safer: "List or describe them first, such as `aws s3 ls` or `gcloud projects list`.",
      match: [
        "aws s3 rb|rm !--dryrun !help",
        "aws s3 sync --delete !--dryrun",
        "aws s3 mv --recursive !--dryrun",
        "aws * delete-*|admin-delete-*|bulk-delete-*|terminate-*|destroy-*|purge-*|deregister-*|remove-*|schedule-key-deletion|disable-key|empty-*|batch-delete-*|revoke-*|release-address|reset-* !--dry-run !help",
        "aws * stop-db-instance|stop-db-cluster|stop-instances|close-account",
        "aws ecs update-service --desired-count=0",
        "aws autoscaling set-desired-capacity|update-auto-scaling-group --desired-capacity=0",
        "aws autoscaling update-auto-scaling-group --max-size=0",
        "aws application-autoscaling register-scalable-target --max-capacity=0",
        "aws eks update-nodegroup-config --scaling-config=*desiredsize=0*",
        "aws apprunner pause-service",
        "gcloud ** delete|destroy|remove-iam-policy-binding|reset|purge|delete-*|bulk-delete !configurations",
        "gcloud logging logs delete",
        "gcloud compute instances stop|suspend",
        "gcloud app versions stop",
        "gcloud ** instance-groups managed resize --size=0",
        "gcloud container clusters resize --num-nodes=0|--size=0",
        "gcloud pubsub subscriptions seek",
        "gcloud storage rm",
        "gcloud storage rsync --delete-unmatched-destination-objects !--dry-run",
        "gsutil ** rm|rb",
        "gsutil ** rsync -d !-n",
        "bq ** rm",
        "az ** delete|purge|delete-*|deallocate|destroy|remove !extension",
        "az vm|webapp|functionapp|aks|vmss|postgres|mysql ** stop",
        "az aks|vmss|appservice ** scale --node-count=0|--new-capacity=0|--number-of-workers=0",
        "az storage blob sync --delete-destination=true",
        "azcopy remove|rm !--dry-run",
        "azcopy sync --delete-destination=true|--delete-destination=prompt !--dry-run",
        "doctl ** delete|rm|destroy|delete-*",
        "doctl ** update --count=0",
        "heroku *:destroy|*:delete|*:remove|*:clear|config:unset",
        "heroku ps:scale|dyno:scale|scale ** *=0|*=0:*",
        "heroku destroy",
        "fly|flyctl ** destroy|delete|rm|remove",
        "fly|flyctl scale count ** 0|*=0",
        "fly|flyctl secrets unset",
        "vercel|vc|now rm|remove",
        "vercel|vc env|alias|domains|dns|certs|project|projects|secrets|blob rm|remove|del|delete",
        "netlify|ntl sites:delete|env:unset|deploy:delete|blobs:delete|functions:delete",
        "netlify|ntl api delete*",
        "firebase deploy -f|--force",
        "wrangler ** delete|rm|destroy|purge !--dry-run",
        "wrangler kv:*|r2 ** delete|rm",
        "wrangler kv:namespace|kv:key|kv:bulk delete",
        "firebase *:delete|*:destroy|*:disable|*:uninstall",
        "railway down|delete",
        "railway ** delete|remove|down",
        "render services|services:delete delete",
        "supabase projects|branches|functions|secrets|storage|sso delete|unset|rm|remove|disable",
        "linode-cli|hcloud|scw|vultr-cli|oci|ibmcloud|exo|upctl|civo|yc|aliyun|tccli|bx ** delete|rm|remove|terminate|destroy|rebuild|delete-*|*-delete",
        "aliyun|tccli ** delete*|release*|terminate*",
        "hcloud server poweroff|shutdown|reset",
        "exo ** rb",
        "xe *-destroy|*-uninstall",
        "openstack|nova|cinder ** delete|purge",
        "pvesh delete",
        "orb|orbctl delete",
        "virsh undefine|destroy|vol-delete|pool-delete|snapshot-delete",
        "vboxmanage|vmrun unregistervm|deletevm|closemedium",
        "vboxmanage snapshot ** delete",
        "prlctl delete",
        "qm|pct destroy",
        "govc ** destroy|rm|delete",
        "dcos|cf ** delete|delete-*|purge-*",
        "cf scale -i=0",
        "eb terminate",
        "dokku *:destroy|*:clear",
        "dokku ps:scale ** *=0",
        "scalingo|clever destroy|delete|addons-remove",
        "scalingo scale *:0|*:0:*",
        "databricks fs|workspace|clusters|jobs rm|delete|permanent-delete",
        "hdfs dfs -rm|-rmr|-expunge",
        "hdfs namenode -format",
        "hadoop fs|dfs -rm|-rmr|-expunge",
        "skopeo delete",
        "crane|regctl|reg delete|rm",
        "ecs-cli down|rm",
        "surge teardown",
        "deployctl deployments|projects delete",
        "sentry-cli ** delete",
        "algolia ** delete|clear",
        "stripe ** delete",
        "ngrok api ** delete",
        "auth0 ** delete|rm",
        "twilio ** remove|delete|*:remove|*:delete",
        "cloudflared tunnel delete",
        "remove-cloud|stop-cloud !-whatif",
      ],
    },
    {
      id: "secrets/delete",
      words: "deletes entries of a secret store",
      loss: "Keys and passwords that may exist nowhere else.",
      safer: "List names only, such as `vault kv list secret/`.",
      match: [
        "vault ** delete|destroy|seal|revoke|disable|remove-peer",
        "vault operator seal|step-down",
        "vault secrets|auth|audit|policy disable|delete|move",
        "doppler secrets|projects|environments|configs delete",
        "op ** delete|archive|remove",
        "bw delete",
        "infisical secrets delete",
        "pass|gopass rm|remove|delete",
        "security delete-*",
        "cmdkey /delete*",
        "certutil -delstore",
        "remove-item|ri cert:*",
        "secret-tool clear",
        "chamber|credstash delete|delete-*",
        "gpg|gpg2 --delete-keys|--delete-secret-keys|--delete-secret-and-public-keys|--delete-key|--delete-secret-key",
        "keytool -delete",
        "lpass rm",
        "berglas|akeyless delete|delete-item",
        "keepassxc-cli rm|rmdir",
        "teller delete",
      ],
    },
    {
      id: "network/http-delete",
      words: "deletes something through the API of another machine",
      loss: "Whatever that address stands for.",
      safer: "Read it first: `curl -s https://api.example.com/users/1`.",
      facts: ["http-delete"],
      programs: ["http", "https", "xh", "ht", "curl", "wget"],
      step: (step) => (/^(?:curl|wget)$/.test(step.name) ? deletesByMutation(step) : httpieDelete(step)),
    },
  ],
};

/** `ansible all -m apt -a 'name=nginx state=absent'`. */
function takesAway({ name, args }: Step): boolean {
  if (!name.startsWith("ansible") || args.some((word) => word === "-C" || word === "--check")) return false;
  return args.some((word) => /\bstate["']?[=:]\s*["']?(?:absent|stopped)\b/.test(word));
}

/** `yes | terraform apply`: nobody reads the plan. */
function answeredYes(step: Step): boolean {
  const verb = step.args.find((word) => !word.startsWith("-"));
  return step.name !== "cdk" && verb === "apply" && /^\s*y(?:es)?\b/i.test(step.stdin.text);
}

function approvedByVariable(step: Step): boolean {
  const verb = step.args.find((word) => !word.startsWith("-"));
  for (const [name, value] of step.env) {
    const meant = name === "TF_CLI_ARGS" || name === `TF_CLI_ARGS_${verb}`;
    if (meant && /-auto-approve|-destroy/.test(value) && (verb === "apply" || verb === "destroy"))
      return true;
  }
  return (
    step.name === "cdk" &&
    verb === "deploy" &&
    step.args.some((word, at) => word === "--require-approval" && step.args[at + 1] === "never")
  );
}

function httpieDelete(step: Step): boolean {
  const at = step.args.findIndex((word) => word.toUpperCase() === "DELETE");
  const url = step.args[at + 1] ?? "";
  return at >= 0 && !/^(?:https?:\/\/)?(?:localhost|127\.|:\d|\[::1\]|0\.0\.0\.0)/.test(url);
}
