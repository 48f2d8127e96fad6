/**
 * Where do settings come from, and may this repository set them? Finds the folders of the layers,
 * reads `kit.yaml` of each, and says what a project layer holds and may not do.
 * Leaves to others: registry and bindings (routing), agent files (agents).
 */
export { configLayers, packageRoot, type LayerRequest } from "./layers.ts";
export { inspectProjectLayer, type ProjectLayerReport } from "./project-layer.ts";
export { loadSettings, overrideSettings, type LoadedSettings } from "./settings.ts";
export { durationMs } from "./durations.ts";
