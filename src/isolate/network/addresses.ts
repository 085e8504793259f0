import { BlockList, isIPv6 } from "node:net";

/** This machine itself, and where clouds tell a machine its own credentials: never reached through a name. */
const own = blockList(["0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "::/96", "fe80::/10", "fd00:ec2::/32"]);

/**
 * Networks that are not the internet, and addresses that carry another one inside.
 * Source: IANA, IPv4 and IPv6 Special-Purpose Address Registries.
 */
const special = blockList([
  ...["10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.0.0.0/24", "192.168.0.0/16", "198.18.0.0/15"],
  ...["224.0.0.0/4", "240.0.0.0/4", "64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16", "fc00::/7", "ff00::/8"],
]);

/** True for an address of this machine or of a link of its own. */
export function isOwnAddress(address: string): boolean {
  return own.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** True for an address anybody on the internet can have. */
export function isPublicAddress(address: string): boolean {
  return !isOwnAddress(address) && !special.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    list.addSubnet(address, Number(bits), isIPv6(address) ? "ipv6" : "ipv4");
  }
  return list;
}
