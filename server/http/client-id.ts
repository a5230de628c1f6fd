import { createHash } from 'node:crypto'

/** Returns an IPv4 address, or the /64 prefix of an IPv6 address, since an IPv6 client can use any address of its /64 network. */
function networkOf(address: string): string {
  const plainAddress = address.replace(/^::ffff:(?=\d+\.)/i, '')
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
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}

/** Returns a hash of the client's network, to count requests per client without storing IP addresses. */
export const clientIdOf = (address: string) =>
  createHash('sha256')
    .update(`client ${networkOf(address)}`)
    .digest('base64url')
    .slice(0, 22)
