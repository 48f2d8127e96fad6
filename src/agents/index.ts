/**
 * Who plays which role? Reads agent files of all layers, reports each bad one with its place and
 * value, and gives the agent of a name.
 * Leaves to others: which model plays it (routing), what it is asked (pipeline).
 */
export { findAgent, loadAgents, type AgentsRequest, type LoadedAgents } from "./load.ts";
