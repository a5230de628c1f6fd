import type { ByteSource } from '../../dsp/byte-source.ts'

export const createBlobSource = (blob: Blob): ByteSource => ({
  sizeBytes: blob.size,
  read: async (start, end) => new Uint8Array(await blob.slice(start, end).arrayBuffer()),
})
