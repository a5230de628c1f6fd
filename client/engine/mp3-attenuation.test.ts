import { expect, test } from 'vitest'
import { attenuatePacket } from './mp3-attenuation.ts'
import { computeChecksumBytes } from './testing/mp3-file.ts'

/** Returns an MPEG-1 packet of stereo with a checksum. All bytes of its side information are `sideByte`. */
function createProtectedPacket(sideByte: number): Uint8Array {
  const packetBytes = new Uint8Array(417).fill(0x5a)
  packetBytes.set([0xff, 0xfa, 0x90, 0x64])
  packetBytes.fill(sideByte, 6, 38)
  packetBytes.set(computeChecksumBytes(packetBytes), 4)
  return packetBytes
}

test.each([0x00, 0x0f, 0x55, 0xaa, 0xff])('attenuatePacket: the checksum of side information 0x%i stays valid', (sideByte) => {
  const packet = createProtectedPacket(sideByte)
  expect(attenuatePacket(packet)).toBe(true)
  expect([packet[4], packet[5]]).toEqual(computeChecksumBytes(packet))
  expect(packet.subarray(38)).toEqual(new Uint8Array(417 - 38).fill(0x5a))
})

test('attenuatePacket: only the four `global_gain` fields of a packet change: each is lowered by 12, but not below 0', () => {
  const packet = createProtectedPacket(0)
  attenuatePacket(packet)
  expect(packet).toEqual(createProtectedPacket(0))
  const loudPacket = createProtectedPacket(0xff)
  attenuatePacket(loudPacket)
  const bits = Array.from(loudPacket.subarray(6, 38), (byte) => byte.toString(2).padStart(8, '0')).join('')
  const granule = `${'1'.repeat(21)}11110011${'1'.repeat(30)}`
  expect(bits).toBe('1'.repeat(20) + granule.repeat(4))
})

test('attenuatePacket: bytes that are not an MP3 packet stay unchanged', () => {
  for (const headerBytes of [[0xff, 0xfd, 0x90, 0x64], [0xff, 0xf1, 0x50, 0x80], [0, 0, 0, 0], []]) {
    const packetBytes = new Uint8Array(417).fill(0xff)
    packetBytes.set(headerBytes)
    const unchangedPacket = packetBytes.slice()
    if (headerBytes.length > 0) expect(attenuatePacket(packetBytes)).toBe(false)
    expect(packetBytes).toEqual(unchangedPacket)
  }
})
