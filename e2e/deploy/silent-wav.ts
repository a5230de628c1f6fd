/** Returns a silent WAV file of the given size in bytes. */
export function createSilentWav(byteCount: number): Buffer<ArrayBuffer> {
  const wavBytes = Buffer.alloc(byteCount)
  wavBytes.write('RIFF')
  wavBytes.writeUInt32LE(byteCount - 8, 4)
  wavBytes.write('WAVEfmt ', 8)
  wavBytes.writeUInt32LE(16, 16)
  wavBytes.writeUInt16LE(1, 20)
  wavBytes.writeUInt16LE(2, 22)
  wavBytes.writeUInt32LE(44_100, 24)
  wavBytes.writeUInt32LE(176_400, 28)
  wavBytes.writeUInt16LE(4, 32)
  wavBytes.writeUInt16LE(16, 34)
  wavBytes.write('data', 36)
  wavBytes.writeUInt32LE(byteCount - 44, 40)
  return wavBytes
}
