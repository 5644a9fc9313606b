declare const __HOLDFAST_VERSION__: string | undefined;

/** Version of the package, put in by the build; `0.0.0-source` when the sources run as they are. */
export const version = typeof __HOLDFAST_VERSION__ === "string" ? __HOLDFAST_VERSION__ : "0.0.0-source";
