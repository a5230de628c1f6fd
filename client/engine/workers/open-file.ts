import { sniffFile } from '../../../dsp/sniff.ts'
import { blobSource } from '../blob-source.ts'
import { openAiff } from './aiff-source.ts'
import { openCaf } from './caf-source.ts'
import { openFlac } from './flac-source.ts'
import { openContainer, openPackets } from './media-source.ts'
import type { SampleSource, SourceFailure } from './sample-source.ts'
import { openWav } from './wav-source.ts'

/** Opens a file by its content. Tags before the content are left out. */
export async function openFile(file: Blob): Promise<SampleSource | SourceFailure> {
  const sniffedFile = await sniffFile(blobSource(file))
  if (sniffedFile === undefined) return 'unknown'
  const { kind, startByte, packet } = sniffedFile
  if (packet !== undefined) return openPackets(file, sniffedFile)
  const content = startByte === 0 ? file : file.slice(startByte)
  const source =
    (kind === 'wav'
      ? await openWav(content)
      : kind === 'aiff'
        ? await openAiff(content)
        : kind === 'caf'
          ? await openCaf(content)
          : undefined) ?? (kind === 'flac' ? await openFlac(content) : await openContainer(content, kind))
  return typeof source === 'string' ? source : { content, ...source }
}
