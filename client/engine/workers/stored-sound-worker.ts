import { openScratchFile } from '../scratch.ts'
import type { StoredSoundCalls } from './calls.ts'
import { serveCalls } from './serve-calls.ts'

let sound: { readonly file: FileSystemSyncAccessHandle; readonly channels: 1 | 2 } | undefined
let interleavedSamples = new Float32Array()

serveCalls<StoredSoundCalls>({
  async open({ scratchName, channels }) {
    sound = { file: await (await openScratchFile(scratchName)).createSyncAccessHandle(), channels }
    return { response: undefined }
  },
  read({ startFrame, channels }) {
    if (sound === undefined) throw new Error('read was called before open')
    const floats = (channels[0]?.length ?? 0) * sound.channels
    if (interleavedSamples.length < floats) interleavedSamples = new Float32Array(floats)
    const readSamples = interleavedSamples.subarray(0, floats)
    const frameBytes = sound.channels * Float32Array.BYTES_PER_ELEMENT
    if (sound.file.read(readSamples, { at: startFrame * frameBytes }) !== readSamples.byteLength)
      throw new DOMException('the file of the decoded sound is incomplete', 'NotReadableError')
    for (const [channel, samples] of channels.entries()) {
      for (let frame = 0, at = channel; frame < samples.length; frame++, at += sound.channels) samples[frame] = readSamples[at] as number
    }
    return { response: { channels }, transfer: channels.map(({ buffer }) => buffer) }
  },
})
