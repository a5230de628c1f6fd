import { ALL_FORMATS, BlobSource, Input } from 'mediabunny'

/** Returns the cover in the tags of an audio file; `undefined` if it has none, or cannot be read. */
export async function readCover(source: Blob): Promise<Blob | undefined> {
  const input = new Input({ source: new BlobSource(source), formats: ALL_FORMATS })
  try {
    const { images = [] } = await input.getMetadataTags()
    const cover = images.find(({ kind }) => kind === 'coverFront') ?? images[0]
    return cover && new Blob([new Uint8Array(cover.data)], { type: cover.mimeType })
  } catch {
    return undefined
  } finally {
    input.dispose()
  }
}
