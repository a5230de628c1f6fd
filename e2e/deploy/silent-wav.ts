/** Returns a silent WAV file of the given size in bytes. */
export function createSilentWav(bytes: number): Buffer<ArrayBuffer> {
  const file = Buffer.alloc(bytes)
  file.write('RIFF')
  file.writeUInt32LE(bytes - 8, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(2, 22)
  file.writeUInt32LE(44_100, 24)
  file.writeUInt32LE(176_400, 28)
  file.writeUInt16LE(4, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36)
  file.writeUInt32LE(bytes - 44, 40)
  return file
}
