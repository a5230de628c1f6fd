import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** The IPv4 ranges outside the public internet: IANA's special-purpose registry, multicast and reserved ranges. */
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

/** The special-purpose ranges within IPv6 global unicast (2000::/3): protocol assignments (which include Teredo), documentation, and 6to4. */
const notPublicIPv6: readonly (readonly [net: string, bits: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const refusedRanges = new BlockList()
for (const [net, bits] of notPublicIPv4) refusedRanges.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of notPublicIPv6) refusedRanges.addSubnet(net, bits, 'ipv6')
const globalIPv6 = new BlockList()
globalIPv6.addSubnet('2000::', 3, 'ipv6')

/**
 * Whether `ipAddress` is on the public internet. Loopback, private, link-local and reserved addresses are not, nor are IPv6 addresses that
 * embed an IPv4 address (mapped, NAT64, 6to4).
 */
export function isPublicAddress(ipAddress: string): boolean {
  if (isIPv4(ipAddress)) return !refusedRanges.check(ipAddress, 'ipv4')
  if (isIPv6(ipAddress)) return globalIPv6.check(ipAddress, 'ipv6') && !refusedRanges.check(ipAddress, 'ipv6')
  return false
}
