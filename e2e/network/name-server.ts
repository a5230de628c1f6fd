import { createSocket } from 'node:dgram'

/** The IP addresses of each host name, in the order in which a name server lists them. */
export type HostAddresses = Readonly<Record<string, readonly string[]>>

const A_RECORD_TYPE = 1
const AAAA_RECORD_TYPE = 28
const HEADER_BYTES = 12
const TTL_SECONDS = 0

/** Returns the bytes of an IP address: 4 for IPv4, 16 for IPv6. `::` must not be at the start or the end. */
function bytesOf(ipAddress: string): Buffer {
  if (!ipAddress.includes(':')) return Buffer.from(ipAddress.split('.').map(Number))
  const [headGroups = '', tailGroups = ''] = ipAddress.split('::')
  const groupsOf = (text: string) => (text === '' ? [] : text.split(':'))
  const zeros = Array<string>(8 - groupsOf(headGroups).length - groupsOf(tailGroups).length).fill('0')
  return Buffer.from([...groupsOf(headGroups), ...zeros, ...groupsOf(tailGroups)].map((group) => group.padStart(4, '0')).join(''), 'hex')
}

/**
 * Returns the response to a query with one question (RFC 1035, 4.1). It contains the host's addresses of the requested type, or says that
 * the name does not exist.
 */
function answerTo(query: Buffer, hosts: HostAddresses): Buffer {
  const labels: string[] = []
  let offset = HEADER_BYTES
  for (let length = query[offset] ?? 0; length > 0; length = query[offset] ?? 0) {
    labels.push(query.toString('latin1', offset + 1, offset + 1 + length))
    offset += 1 + length
  }
  const questionEnd = offset + 5
  const type = query.readUInt16BE(offset + 1)
  const ipAddresses = hosts[labels.join('.').toLowerCase()]
  const records = (ipAddresses ?? [])
    .filter((address) => type === (address.includes(':') ? AAAA_RECORD_TYPE : A_RECORD_TYPE))
    .map((ipAddress) => {
      const bytes = bytesOf(ipAddress)
      // The name in the answer is a pointer to the name in the question.
      const head = Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, TTL_SECONDS, 0, bytes.length])
      return Buffer.concat([head, bytes])
    })
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2)
  // The flags of a response: recursion is available, and for an unknown name the code for "no such name".
  header.writeUInt16BE(0x8180 | (ipAddresses === undefined ? 3 : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, query.subarray(HEADER_BYTES, questionEnd), ...records])
}

/** Starts a name server on port 53 of the loopback address. */
export function startNameServer(hosts: HostAddresses): void {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => socket.send(answerTo(query, hosts), port, address))
  socket.bind(53, '127.0.0.1')
}
