/**
 * Where do settings come from, and may this repository set them? Finds the folders of the layers,
 * reads `kit.yaml` of each, keeps what the user trusts, and says what a project layer may not do.
 * Leaves to others: registry and bindings (routing), agent files (agents).
 */
export { configLayers, packageRoot, type LayerRequest } from "./layers.ts";
export { type ProjectFiles, readProjectFiles } from "./project-files.ts";
export { describeProjectLayer, type ProjectLayerReport } from "./project-layer.ts";
export { loadSettings, overrideSettings, type LoadedSettings } from "./settings.ts";
export { fileHashes, layerTrust, type LayerTrust } from "./trust.ts";
export { seenStore, type TrustRecord, trustStore } from "./trust-store.ts";
export { durationMs } from "./durations.ts";
