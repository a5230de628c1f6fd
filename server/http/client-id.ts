import { createHash } from 'node:crypto'
import { DAY_MS } from '../durations.ts'
import type { SaltStore } from './store.ts'

/**
 * The prefix length of the network that one IPv6 customer usually gets. All addresses of such a network count as one client, because one customer can
 * use any of them.
 */
export const IPV6_PREFIX_BITS = 56
const PREFIX_LAST_GROUP_MASK = 0xff00

/** Returns an IPv4 address, or the /56 prefix of an IPv6 address. */
export function findNetwork(ipAddress: string): string {
  if (!ipAddress.includes(':')) return ipAddress
  const plainAddress = ipAddress.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!plainAddress.includes(':')) return plainAddress
  const [headText = '', tailText] = plainAddress.toLowerCase().split('::')
  const frontGroups = headText === '' ? [] : headText.split(':')
  const backGroups = tailText === undefined || tailText === '' ? [] : tailText.split(':')
  const addressGroups =
    tailText === undefined
      ? frontGroups
      : [...frontGroups, ...Array<string>(Math.max(0, 8 - frontGroups.length - backGroups.length)).fill('0'), ...backGroups]
  return addressGroups
    .slice(0, 4)
    .map((group, index) => (Number.parseInt(group, 16) & (index < 3 ? 0xffff : PREFIX_LAST_GROUP_MASK)).toString(16))
    .join(':')
}

/**
 * Returns the first 24 bits of an IPv4 address, or the first 48 bits of an IPv6 address, as text. The list of an account's logins shows
 * this prefix, because it is too short to identify a machine.
 */
export function findNetworkPrefix(ipAddress: string): string {
  const network = findNetwork(ipAddress)
  return network.includes(':') ? `${network.split(':').slice(0, 3).join(':')}:x` : network.replace(/\.[^.]*$/, '.x')
}

/** Returns a hash of the client's network, to count requests per client in memory. */
export const createClientId = (ipAddress: string, salt = ''): string =>
  createHash('sha256')
    .update(`client ${salt} ${findNetwork(ipAddress)}`)
    .digest('base64url')
    .slice(0, 22)

/**
 * Returns a function that makes the ids under which clients are stored: hashes of their networks with a salt of the UTC day. The salt is
 * deleted at most an hour after its day, by the hourly deletions of server/retention.ts. From then on, no id of that day can be traced to a
 * client.
 */
export function createDailyClientIds(salts: SaltStore, nowMs: () => number): (address: string) => Promise<string> {
  let todayNumber = Number.NaN
  let saltPromise = Promise.resolve('')
  return async (ipAddress) => {
    const dayNumber = Math.floor(nowMs() / DAY_MS)
    if (dayNumber !== todayNumber) {
      todayNumber = dayNumber
      saltPromise = salts.ofDay(dayNumber)
      saltPromise.catch(() => {
        todayNumber = Number.NaN
      })
    }
    return createClientId(ipAddress, await saltPromise)
  }
}
