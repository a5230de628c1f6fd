import { createSocket } from 'node:dgram'

/** The IP addresses of each host name, in the order in which a name server lists them. */
export type HostAddresses = Readonly<Record<string, readonly string[]>>

const A_RECORD_TYPE = 1
const AAAA_RECORD_TYPE = 28
const HEADER_BYTES = 12
const TTL_SECONDS = 0

/** Returns the bytes of an IP address: 4 for IPv4, 16 for IPv6. `::` must not be at the start or the end. */
function encodeIpAddress(ipAddress: string): Buffer {
  if (!ipAddress.includes(':')) return Buffer.from(ipAddress.split('.').map(Number))
  const [headGroups = '', tailGroups = ''] = ipAddress.split('::')
  const splitIntoGroups = (text: string) => (text === '' ? [] : text.split(':'))
  const zeroGroups = Array<string>(8 - splitIntoGroups(headGroups).length - splitIntoGroups(tailGroups).length).fill('0')
  return Buffer.from(
    [...splitIntoGroups(headGroups), ...zeroGroups, ...splitIntoGroups(tailGroups)].map((group) => group.padStart(4, '0')).join(''),
    'hex',
  )
}

/**
 * Returns the response to a query with one question (RFC 1035, 4.1). It contains the host's addresses of the requested type, or says that
 * the name does not exist.
 */
function createAnswer(queryBytes: Buffer, hosts: HostAddresses): Buffer {
  const nameLabels: string[] = []
  let byteOffset = HEADER_BYTES
  for (let length = queryBytes[byteOffset] ?? 0; length > 0; length = queryBytes[byteOffset] ?? 0) {
    nameLabels.push(queryBytes.toString('latin1', byteOffset + 1, byteOffset + 1 + length))
    byteOffset += 1 + length
  }
  const questionEnd = byteOffset + 5
  const queryType = queryBytes.readUInt16BE(byteOffset + 1)
  const ipAddresses = hosts[nameLabels.join('.').toLowerCase()]
  const answerRecords = (ipAddresses ?? [])
    .filter((address) => queryType === (address.includes(':') ? AAAA_RECORD_TYPE : A_RECORD_TYPE))
    .map((ipAddress) => {
      const addressBytes = encodeIpAddress(ipAddress)
      // The name in the answer is a pointer to the name in the question.
      const head = Buffer.from([0xc0, HEADER_BYTES, 0, queryType, 0, 1, 0, 0, 0, TTL_SECONDS, 0, addressBytes.length])
      return Buffer.concat([head, addressBytes])
    })
  const headerBytes = Buffer.alloc(HEADER_BYTES)
  queryBytes.copy(headerBytes, 0, 0, 2)
  // The flags of a response: recursion is available, and for an unknown name the code for "no such name".
  headerBytes.writeUInt16BE(0x8180 | (ipAddresses === undefined ? 3 : 0), 2)
  headerBytes.writeUInt16BE(1, 4)
  headerBytes.writeUInt16BE(answerRecords.length, 6)
  return Buffer.concat([headerBytes, queryBytes.subarray(HEADER_BYTES, questionEnd), ...answerRecords])
}

/** Starts a name server on port 53 of the loopback address. */
export function startNameServer(hosts: HostAddresses): void {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => socket.send(createAnswer(query, hosts), port, address))
  socket.bind(53, '127.0.0.1')
}
