export function runPowerShell(_s: unknown, _t: string): void {}
