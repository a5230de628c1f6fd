import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** IPv4 ranges that are not the public internet: IANA's special-purpose registry, multicast and what is reserved. */
const notPublicIPv4: readonly (readonly [net: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Within IPv6's global unicast (2000::/3): protocol assignments with Teredo, documentation, 6to4. */
const notPublicIPv6: readonly (readonly [net: string, bits: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const refused = new BlockList()
for (const [net, bits] of notPublicIPv4) refused.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of notPublicIPv6) refused.addSubnet(net, bits, 'ipv6')
const globalIPv6 = new BlockList()
globalIPv6.addSubnet('2000::', 3, 'ipv6')

/**
 * Whether `address` is one that anybody on the internet may reach. Loopback, private, link-local and reserved ones are
 * not, nor are IPv6 forms that wrap an IPv4 address (mapped, NAT64, 6to4): those lie outside what is allowed.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refused.check(address, 'ipv4')
  if (isIPv6(address)) return globalIPv6.check(address, 'ipv6') && !refused.check(address, 'ipv6')
  return false
}
