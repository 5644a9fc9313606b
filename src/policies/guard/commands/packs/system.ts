import { lies } from "../../../../paths/lies.ts";
import type { Step } from "../../../../shell/model.ts";
import { absolute } from "../../../../shell/place.ts";
import type { Pack, View } from "../rule.ts";
import { killsMany, treeMode } from "../system-steps.ts";
import { zoneOf } from "../zones.ts";

/** The machine itself: disks, power, processes, users, services, packages. */
export const system: Pack = {
  name: "system",
  title: "The machine",
  rules: [
    {
      id: "system/disk",
      words: "erases, formats or repartitions a disk",
      loss: "Everything on that disk.",
      safer: "Look only: `lsblk`, `fdisk -l`.",
      match: [
        "wipefs -a|--all|-o|--offset !-n|--no-act",
        "gdisk|cgdisk !-l|--list|--help",
        "grub-install|grub2-install !--help|--version",
        "efibootmgr -B|--delete-bootnum|-o|--bootorder|-c|--create",
        "sgdisk -z|-Z|--zap|--zap-all|-o|--clear|-d|--delete|-n|--new|-g|-l|--load-backup",
        "fdisk|cfdisk|sfdisk !-l|--list|-d|--dump|-s|-v|-V|--version|--verify|-J|--json",
        "parted ** mklabel|mktable|mkpart|rm|resizepart|resize|set|toggle|rescue|name|mkpartfs|mkfs|disk_set",
        "blkdiscard|mkswap|badblocks -w|-n",
        "blkdiscard !-h",
        "mkswap /dev/*",
        "cryptsetup ** luksformat|erase|lukserase|luksremovekey|lukskillslot|reencrypt",
        "growpart !-N|--dry-run",
        "lvconvert --merge",
        "ntfsclone --overwrite|-O|--restore-image|-r",
        "partclone.restore|partclone.ext4|partclone.ext3|partclone.ntfs|partclone.xfs|partclone.btrfs -r|--restore",
        "fsarchiver restfs|restdir",
        "lvremove|vgremove|pvremove|lvreduce|vgreduce|lvresize !-t|--test",
        "zpool ** destroy|labelclear|remove|offline|create|add|replace !-n",
        "zfs ** destroy|rollback !-n",
        "btrfs subvolume|sub delete",
        "btrfs device|filesystem|fi delete|remove|resize",
        "mdadm --stop|--zero-superblock|-S|--remove|--fail|--create|-C|--grow",
        "bootctl remove|unlink",
        "hdparm --security-erase|--security-erase-enhanced|--trim-sector-ranges|--make-bad-sector",
        "nvme format|sanitize|delete-ns|write-zeroes",
        "diskutil erase*|partition*|zerodisk|secureerase|reformat|randomdisk|eraseall",
        "diskutil apfs|cs|ar deletecontainer|deletevolume|delete|erasevolume",
        "fsck|e2fsck|fsck.ext4|fsck.ext3|fsck.ext2|fsck.vfat -y|-f|-p|-a !-n",
        "tune2fs|resize2fs|xfs_repair !-l|-P|-n",
        "hdiutil|newfs_apfs|newfs_hfs erase",
        "asr restore --erase",
        "dmsetup remove|remove_all|wipe_table",
        "losetup -D|--detach-all",
        "swapoff -a|--all",
        "umount|unmount -a|--all|-l|-f",
        "umount|unmount /|/boot|/boot/efi|/etc|/home|/opt|/root|/usr|/var",
        "mount -o=*remount*|--options=*remount* /|/boot|/etc|/home|/opt|/root|/usr|/var",
        "sg_format|format.com|nwipe|dban **",
      ],
      programs: "mkfs mke2fs mkdosfs mkntfs dd dcfldd ddrescue shred wipe newfs scrub tee cp cat pv".split(
        " ",
      ),
      step: (step, view) => makesFileSystem(step, view),
      touch: (touch, target) =>
        target.zone === "device" &&
        touch.action !== "read" &&
        !touch.keeps &&
        !/^\/dev\/(?:loop|null)/.test(touch.path),
    },
    {
      id: "system/permissions",
      words:
        "changes mode or owner of a whole system tree, the home folder or everything in the project's parents",
      loss: "Logins, sudo and programs that insist on the old ones; there is no way to undo it.",
      safer: "Name the folder inside the project: `chmod -R 755 dist`.",
      programs: "chmod chown chgrp chattr setfacl chflags chcon takeown icacls cacls attrib set-acl".split(
        " ",
      ),
      step: (step, view) => treeMode(step, view),
    },
    {
      id: "system/power",
      words: "turns the machine off or restarts it",
      loss: "Everything that runs, on this machine and for its users.",
      safer: "Ask the person; to look: `uptime`.",
      match: [
        "shutdown !-c|--help|-?|--show|--version !/a|/?",
        "poweroff|reboot|halt|telinit !--help|--version",
        "init 0|1|6|s",
        "systemctl ** reboot|poweroff|halt|kexec|suspend|hibernate|emergency|rescue|isolate|soft-reboot|hybrid-sleep",
        "systemctl ** start|isolate reboot.target|poweroff.target|halt.target|shutdown.target|rescue.target|emergency.target",
        "busctl|gdbus|dbus-send ** reboot|poweroff|halt|suspend|hibernate|*.reboot|*.poweroff|*.halt",
        "loginctl ** reboot|poweroff|halt|terminate-user|kill-user|terminate-session",
        "pm-suspend|pm-hibernate|zzz",
        "pmset sleepnow|schedule",
        "kexec -e|--exec",
        "openrc-shutdown|shutdown.exe",
        "logoff !/?",
        "wmic os ** reboot|shutdown|win32shutdown",
        "rundll32 *powrprof*|*shexitwindows*",
      ],
      programs: ["osascript"],
      step: (step) =>
        step.name === "osascript" &&
        step.args.some((word) => /\b(?:shut down|restart|log out)\b/i.test(word)),
      touch: (touch) => touch.action === "write" && touch.path === "/proc/sysrq-trigger",
    },
    {
      id: "system/kill",
      words: "ends processes by name or all at once",
      loss: "Work in other programs of the same name, or the whole session.",
      safer: "Find the one that is meant with `pgrep -f vite`, then `kill 1234`.",
      match: [
        "pkill !--help|-h|-V|--version|-0|-l|-P|--parent|-F|--pidfile",
        "pkill * -l",
        "killall|killall5|skill|slay|xkill !--help|-h|-V|--version|-l|--list|-0",
        "taskkill !/pid",
        "tskill",
        "wmic process ** delete|terminate",
        "pm2 delete|del all",
        "pm2 kill",
      ],
      programs: ["kill", "fuser", "stop-process", "spps"],
      step: (step) => killsMany(step),
    },
    {
      id: "system/fork-bomb",
      words: "starts itself over and over until the machine stops",
      loss: "The session, and unsaved work in every program.",
      safer: "Use a loop with an end: `for i in 1 2 3; do echo $i; done`.",
      facts: ["fork-bomb"],
    },
    {
      id: "system/cron",
      words: "replaces or removes scheduled jobs",
      loss: "Jobs that were there before; cron keeps no copy.",
      safer: "List them: `crontab -l`.",
      match: ["crontab -r|-ri|-i", "at -r|-d|--delete"],
      programs: ["crontab", "atrm"],
      step: (step) => step.name === "atrm" || (step.name === "crontab" && replacesJobs(step)),
      touch: (touch) => touch.action !== "read" && /^\/(?:etc\/cron|var\/spool\/cron)/.test(touch.path),
    },
    {
      id: "system/users",
      words: "changes users, groups, passwords or who may become root",
      loss: "Access to the machine.",
      safer: "Look only: `id dev`.",
      match: [
        "userdel|deluser|groupdel|delgroup|usermod|groupmod|useradd|adduser|groupadd|addgroup|chpasswd|chage|vipw|vigr|gpasswd|newusers|faillock !--help",
        "visudo !--help|-h|-c|--check|-V|--version",
        "passwd !-S|--status|--help",
        "chsh !-l|--list-shells|-h|--help",
        "dscl ** -delete|-create|-append|-passwd|-change|delete",
        "sysadminctl -deleteUser|-addUser|-resetPasswordFor",
        "net user|localgroup|group ** /del*|/add|/active*",
      ],
      programs: ["net"],
      step: ({ name, args }) =>
        name === "net" && /^user$/i.test(args[0] ?? "") && /^[^/]/.test(args[2] ?? ""),
      touch: (touch) =>
        touch.action !== "read" &&
        /^\/etc\/(?:passwd|shadow|group|gshadow|sudoers)(?:\.d\/|-|$)/.test(touch.path),
    },
    {
      id: "system/firewall",
      words: "opens, clears or switches off the firewall",
      loss: "The protection of the machine, or the connection to it.",
      safer: "Look only: `ufw status`, `iptables -L`.",
      match: [
        "iptables|ip6tables|ebtables|arptables|iptables-legacy|iptables-nft -F|--flush|-X|--delete-chain|-P|--policy|-D|--delete|-Z|-A|--append|-I|--insert|-R|--replace",
        "iptables-restore|ip6tables-restore|nft-restore !-t|--test",
        "ufw ** disable|reset|delete|default|enable|deny|reject|allow|limit|route|reload !--dry-run",
        "nft -f|--file !-c|--check",
        "nft ** flush|delete|destroy|reset",
        "firewall-cmd --panic-on|--remove-service|--remove-port|--remove-rich-rule|--complete-reload|--delete-zone|--set-default-zone|--add-port|--add-service",
        "pfctl -d|-F|-f",
        "ipfw flush|delete|disable",
        "socketfilterfw --setglobalstate|--setblockall",
        "setenforce 0|permissive",
        "aa-disable|aa-teardown|aa-complain",
        "csrutil disable",
        "spctl --master-disable|--global-disable",
        "nvram -c",
        "ipset flush|destroy",
        "ip link|route|addr|rule delete|del|flush|down",
        "ip link set ** down",
        "ifconfig ** down",
        "route ** delete|del|flush",
        "nmcli ** delete|off|down",
      ],
      programs: ["iptables", "ip6tables", "sysctl"],
      step: (step) =>
        step.name === "sysctl" && step.args.some((word) => /^(?:net|kernel)[./][\w./-]*=/.test(word)),
    },
    {
      id: "system/services",
      words: "stops, disables or removes system services",
      loss: "What the service does for the machine, such as remote access or containers.",
      safer: "Look only: `systemctl status nginx`.",
      match: [
        "systemctl ** stop|disable|mask|kill|revert|set-default|condstop",
        "service ** stop|disable|--full-restart",
        "rc-service ** stop",
        "rc-update del|delete",
        "chkconfig ** off|--del",
        "update-rc.d ** remove|disable",
        "launchctl unload|bootout|remove|disable|kill|stop",
        "initctl stop|disable",
        "sv down|stop|exit|force-stop|kill",
        "monit stop|unmonitor",
        "brew services stop|kill",
        "supervisorctl ** stop|shutdown|remove|clear",
        "s6-svc -d|-x",
        "sc|sc.exe delete|stop|config",
        "net stop",
        "stop-service|remove-service|set-service|suspend-service|stop-website|stop-webapppool",
        "iisreset /stop",
        "appcmd delete|stop",
      ],
    },
    {
      id: "system/packages",
      words: "removes system packages",
      loss: "Programs that others depend on, and their configuration.",
      safer: "Simulate it: `apt-get remove --dry-run nginx`.",
      match: [
        "apt|apt-get|aptitude|nala purge|remove|autoremove|autopurge|dist-upgrade|full-upgrade !-s|--simulate|--dry-run|--just-print|--download-only",
        "dpkg -P|--purge|-r|--remove|--force-all|--force-remove-reinstreq",
        "dnf|yum|microdnf|tdnf remove|erase|autoremove|rm|distro-sync|swap !--assumeno",
        "dnf|yum group|groups|module remove|erase !--assumeno",
        "zypper remove|rm|dist-upgrade|dup !--dry-run|-D",
        "rpm -e|--erase !--test",
        "pacman|yay|paru -R|--remove !-p|--print|-h|--help",
        "apk del|purge !-s|--simulate",
        "emerge -C|--unmerge|-c|--depclean !-p|--pretend",
        "xbps-remove|pkg_delete|slackpkg !-n",
        "pkg delete|remove|autoremove !-n",
        "snap remove|purge",
        "flatpak uninstall|remove",
        "brew uninstall|remove|rm|zap !--dry-run|-n",
        "brew cask uninstall|remove|rm|zap !--dry-run|-n",
        "port uninstall",
        "nix-collect-garbage -d|--delete-old",
        "nix-env -e|--uninstall",
        "winget|choco|scoop uninstall|remove",
        "wmic product ** uninstall",
        "msiexec /x*|/uninstall",
        "mas uninstall",
        "opkg remove",
        "guix remove|gc",
        "swupd bundle-remove",
        "update-alternatives --remove|--remove-all",
      ],
    },
  ],
};

/** `crontab file`, `crontab -` and `crontab < file`. */
function replacesJobs({ args, stdin }: Step): boolean {
  if (args.length === 0) return stdin.text !== "";
  return args.some((word, at) => (word === "-" || !word.startsWith("-")) && args[at - 1] !== "-u");
}

function makesFileSystem(step: Step, view: View): boolean {
  if (!/^(?:mkfs(?:\..+)?|mke2fs|mkdosfs|mkntfs|newfs\w*|scrub)$/.test(step.name)) return false;
  const target = step.args.filter((word) => !word.startsWith("-")).at(-1);
  if (target === undefined) return !step.args.some((word) => /^(?:-V|--version)$/.test(word));
  return !/^(?:project|temp)$/.test(zoneOf(lies(absolute(step.cwd, target), view.world), view.world));
}
