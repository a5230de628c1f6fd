import { createHash } from 'node:crypto'

/** The part of an address that one client holds: an IPv6 client can pick any address of its /64 network. */
function network(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.toLowerCase().split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups = tail === undefined ? front : [...front, ...Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0'), ...back]
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}

/** Tells clients apart for counting, without storing their addresses. */
export const clientIdOf = (address: string) =>
  createHash('sha256')
    .update(`client ${network(address)}`)
    .digest('base64url')
    .slice(0, 22)
