import { BlockList, isIP } from "node:net";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** RFC 1918, link-local, carrier-grade NAT (overlay networks use it), unique local. */
const ownNetwork = new BlockList();
for (const [net, bits] of [
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["169.254.0.0", 16],
  ["100.64.0.0", 10],
] as const)
  ownNetwork.addSubnet(net, bits, "ipv4");
ownNetwork.addSubnet("fc00::", 7, "ipv6");
ownNetwork.addSubnet("fe80::", 10, "ipv6");

/** Names that no public name server answers for (RFC 6761, 6762, 8375), and names without a dot. */
const ownNames = /^[^.]+$|\.(?:localhost|local|internal|lan|home\.arpa)$/;

/** True for this machine itself. Takes a URL's `hostname`: a name, or an address, in brackets or not. */
export function isLoopback(hostname: string): boolean {
  const host = plain(hostname);
  return host === "localhost" || host.endsWith(".localhost") || isIn(loopback, host);
}

/** True for this machine and the user's own network, by the name alone: nothing is looked up. */
export function isOwnNetwork(hostname: string): boolean {
  const host = plain(hostname);
  if (isLoopback(host)) return true;
  return isIP(host) === 0 ? ownNames.test(host) : isIn(ownNetwork, host);
}

function plain(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}

function isIn(list: BlockList, host: string): boolean {
  const version = isIP(host);
  return version !== 0 && list.check(host, version === 4 ? "ipv4" : "ipv6");
}
