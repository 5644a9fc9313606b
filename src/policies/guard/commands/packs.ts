import { cloud } from "./packs/cloud.ts";
import { data } from "./packs/data.ts";
import { files } from "./packs/files.ts";
import { git } from "./packs/git.ts";
import { network } from "./packs/network.ts";
import { github, publish } from "./packs/publish.ts";
import { system } from "./packs/system.ts";
import { windows } from "./packs/windows.ts";
import type { Pack } from "./rule.ts";

/** Every built-in rule about commands, in the order in which reasons are given. */
export const packs: readonly Pack[] = [files, git, github, publish, data, cloud, system, network, windows];
