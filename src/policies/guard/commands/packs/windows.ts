import type { Pack } from "../rule.ts";

/** What only Windows has. */
export const windows: Pack = {
  name: "windows",
  title: "Windows",
  rules: [
    {
      id: "windows/disk",
      words: "formats or erases a drive",
      loss: "Everything on that drive.",
      safer: "Look only: `Get-Volume`.",
      match: [
        "format-volume|clear-disk|initialize-disk|remove-partition|remove-physicaldisk|remove-virtualdisk|remove-storagepool|reset-physicaldisk|set-disk !-whatif",
        "diskpart",
        "cipher /w*",
        "wsl --unregister",
        "sdelete|sdelete64 **",
        "mountvol ** /d",
      ],
      programs: ["format"],
      step: (step) => step.name === "format" && step.args.some((word) => /^[a-zA-Z]:\\?$/.test(word)),
    },
    {
      id: "windows/recovery",
      words: "deletes backups or switches recovery off",
      loss: "The way back after the next accident.",
      safer: "Look only: `vssadmin list shadows`.",
      match: [
        "vssadmin delete|resize",
        "wbadmin delete",
        "bcdedit /set|/delete|/deletevalue|/import|/store",
        "wmic shadowcopy delete",
        "wevtutil cl|clear-log|sl",
        "clear-eventlog|remove-eventlog|limit-eventlog !-whatif",
        "disable-computerrestore|remove-computerrestorepoint",
        "reagentc /disable",
        "fsutil usn|file|behavior deletejournal|setzerodata|set",
        "remove-wbbackupset|remove-wbpolicy",
      ],
    },
    {
      id: "windows/registry",
      words: "deletes registry keys",
      loss: "Settings of programs or of the system.",
      safer: "Look only: `reg query HKCU\\Software\\Acme`.",
      match: ["reg|reg.exe delete|import|restore|unload", "remove-itemproperty|clear-itemproperty !-whatif"],
      touch: (touch) =>
        (touch.action === "delete" || touch.action === "write") &&
        /(?:^|\/)(?:hk(?:lm|cu|cr|u|cc)|registry:+.*|hkey_\w+):?(?:[\\/]|$)/i.test(touch.marked),
    },
    {
      id: "windows/protection",
      words: "switches the firewall, the virus protection or a policy off",
      loss: "The protection of the machine.",
      safer: "Look only: `netsh advfirewall show allprofiles`.",
      match: [
        "netsh advfirewall|firewall set|delete|reset|add",
        "netsh int|interface|winsock ** reset|delete",
        "set-mppreference|add-mppreference|remove-mppreference",
        "set-netfirewallprofile|disable-netfirewallrule|remove-netfirewallrule|new-netfirewallrule",
        "set-executionpolicy !process",
        "disable-windowsoptionalfeature|uninstall-windowsfeature|remove-windowsfeature",
        "remove-localuser|disable-localuser|set-localuser|new-localuser|remove-localgroup|remove-aduser|add-localgroupmember",
        "restart-computer|stop-computer !-whatif",
        "unregister-scheduledtask|disable-scheduledtask",
        "schtasks /delete|/change",
        "uninstall-package|remove-appxpackage|uninstall-module|remove-windowspackage !-whatif",
        "dism ** /remove-*|/disable-feature",
        "remove-cloud|stop-cloud !-whatif",
        "remove-vm|remove-vhd|stop-vm !-whatif",
        "takeown ** /r",
        "disable-netadapter|remove-netroute",
      ],
    },
  ],
};
