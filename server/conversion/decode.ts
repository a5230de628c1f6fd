import { type FileHandle, open, writeFile } from 'node:fs/promises'
import type { ByteSource } from '../../dsp/byte-source.ts'
import { silenceDamagedPackets } from '../../dsp/damaged-packets.ts'
import { scanPackets } from '../../dsp/packets.ts'
import { isDecodableWav, parseWav, readWavSamples, type WavData, type WavFormat } from '../../dsp/read-wav.ts'
import { type SniffedFile, sniffFile } from '../../dsp/sniff.ts'
import { decodeByFfmpeg } from './ffmpeg.ts'
import type { ConversionJob, FailureCode } from './job.ts'
import { createSamplesFile, type DecodedSound } from './samples-file.ts'
import { fileSource } from './sniff.ts'

/** The number of frames that are read from a WAV file at once. */
const CHUNK_FRAMES = 2 ** 16

/** Decodes the upload into `samplesFile`. Resolves with the decoded sound, or with the code of the failure. */
export async function decode(job: ConversionJob): Promise<DecodedSound | FailureCode> {
  const handle = await open(job.inputFile)
  try {
    const sniffed = await sniffFile(await fileSource(handle))
    // Raw samples are known by their name only.
    if (job.demuxer === 's16le' || sniffed === undefined) return await decodeByFfmpeg(job, job.inputFile)
    const source = await fileSource(handle, sniffed.startByte)
    if (sniffed.kind === 'wav') {
      const { format, data } = (await parseWav(source)) ?? {}
      if (format !== undefined && data !== undefined && !data.isEncodedStream && isDecodableWav(format))
        return await decodeWav(job, source, format, data)
    }
    return await decodeByFfmpeg(job, await prepareInput(job, handle, sniffed))
  } finally {
    await handle.close()
  }
}

async function decodeWav({ samplesFile }: ConversionJob, source: ByteSource, format: WavFormat, { start, end }: WavData) {
  const file = createSamplesFile(samplesFile, format)
  const frameBytes = (format.bitsPerSample / 8) * format.channels
  const chunkBytes = CHUNK_FRAMES * frameBytes
  for (let at = start; at + frameBytes <= end && !file.isFull(); at += chunkBytes) {
    const bytes = await source.read(at, Math.min(end, at + chunkBytes))
    await file.write(readWavSamples(format, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)))
  }
  return file.finish()
}

/**
 * Returns the path of the file that ffmpeg decodes: the upload, or a copy without the bytes before its content and, of MP3 and AAC, without what is
 * between the packets. ffmpeg would take these bytes for packets, which may be louder than all else.
 */
async function prepareInput(
  { inputFile, preparedFile }: ConversionJob,
  handle: FileHandle,
  { kind, startByte }: SniffedFile,
): Promise<string> {
  const { size } = await handle.stat()
  const content = new Uint8Array(size)
  await handle.read(content, 0, size, 0)
  if (kind !== 'mp3' && kind !== 'aac') {
    if (startByte === 0) return inputFile
    await writeFile(preparedFile, content.subarray(startByte), { mode: 0o600 })
    return preparedFile
  }
  const { runs } = await scanPackets(await fileSource(handle), startByte, kind)
  if (kind === 'mp3') for (const run of runs) silenceDamagedPackets(content, run)
  const packets = runs.flatMap(({ starts, sizes }) => starts.map((start, index) => content.subarray(start, start + (sizes[index] ?? 0))))
  await writeFile(preparedFile, Buffer.concat(packets), { mode: 0o600 })
  return preparedFile
}
