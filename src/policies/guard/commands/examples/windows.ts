import type { RuleExamples } from "./examples.ts";

/** Commands that hit each rule, and near misses that must not. */
export const windowsExamples: RuleExamples = {
  "windows/disk": {
    hits: [
      "diskpart",
      "format E:",
      "cipher /w:D:\\",
      "wsl --unregister Ubuntu",
      "Initialize-Disk -Number 1",
      "Clear-Disk -Number 0 -RemoveData",
      "Remove-Partition -DiskNumber 0 -PartitionNumber 1",
    ],
    misses: ["Get-Volume", "Format-Table Name", "Get-Disk"],
  },
  "windows/recovery": {
    hits: [
      "wevtutil cl System",
      "wmic shadowcopy delete",
      "vssadmin delete shadows /all",
      "bcdedit /set safeboot minimal",
      "Clear-EventLog -LogName System",
    ],
    misses: ["vssadmin list shadows", "bcdedit /enum", "wevtutil el"],
  },
  "windows/registry": {
    hits: [
      "reg delete HKCU\\Software\\X /f",
      "Remove-Item -Path HKCU:\\Software\\X -Recurse",
      "Remove-ItemProperty -Path HKLM:\\Software\\X -Name y",
    ],
    misses: [
      "reg query HKCU\\Software\\Acme",
      "Get-Item HKCU:\\Software\\Acme",
      "Remove-Item dist -Recurse",
      "reg query HKLM\\Software",
    ],
  },
  "windows/protection": {
    hits: [
      "Restart-Computer",
      "Stop-Computer -Force",
      "Remove-LocalUser bob",
      "takeown /f C:\\Windows /r",
      "schtasks /delete /tn x /f",
      "Set-ExecutionPolicy Unrestricted",
      "Add-MpPreference -ExclusionPath C:\\",
      "Set-NetFirewallProfile -All -Enabled False",
      "netsh advfirewall set allprofiles state off",
      "Set-MpPreference -DisableRealtimeMonitoring 1",
    ],
    misses: ["netsh advfirewall show allprofiles", "Get-MpPreference", "Get-ExecutionPolicy"],
  },
};
