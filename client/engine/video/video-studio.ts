import type { WorkerClient } from '../worker-client.ts'
import type { VideoCalls } from '../workers/calls.ts'
import { createScene, listTransferables } from './text-layer.ts'
import type { VideoFormat, VideoStudio } from './video-design.ts'
import { createVideoWorker } from './video-export.ts'

interface VideoSize {
  readonly width: number
  readonly height: number
}

/** The formats that the browser can encode, by the size of the video. They do not change while the page is open. */
const formatBySize = new Map<string, Promise<VideoFormat | undefined>>()

/** Finds the format for a size. The encoders are tested once for each size; if none is found, the next call tests them again. */
function findFormatOnce({ width, height }: VideoSize): Promise<VideoFormat | undefined> {
  const sizeKey = `${width} ${height}`
  const cachedFormat = formatBySize.get(sizeKey)
  if (cachedFormat) return cachedFormat
  const forgetFormat = () => formatBySize.delete(sizeKey)
  const formatPromise = testEncoders({ width, height })
  formatBySize.set(sizeKey, formatPromise)
  formatPromise.then((found) => found ?? forgetFormat(), forgetFormat)
  return formatPromise
}

async function testEncoders(size: VideoSize): Promise<VideoFormat | undefined> {
  // A worker of its own, because the test of the encoders would delay the previews.
  const finderWorker = createVideoWorker()
  try {
    return await finderWorker.call('findFormat', size)
  } finally {
    finderWorker.terminate()
  }
}

/** @param onDispose called when the studio is disposed */
export function createVideoStudio(onDispose = () => {}): VideoStudio {
  let painterWorker: WorkerClient<VideoCalls> | undefined
  let lastPictureId = 0
  const takePainter = () => {
    painterWorker ??= createVideoWorker()
    return painterWorker
  }

  return {
    async openPicture(source) {
      const id = ++lastPictureId
      const opened = await takePainter().call('openPicture', { id, source })
      return opened === undefined ? { kind: 'undecodable' } : { kind: 'opened', picture: { id, source, ...opened } }
    },
    closePicture({ id }) {
      // A failure is ignored, because a worker that has ended holds no pictures.
      painterWorker?.call('closePicture', { id }).catch(() => {})
    },
    async findFormat(size, sound) {
      const format = await findFormatOnce(size)
      return sound === 'lossless' && format?.container === 'mp4' ? { ...format, container: 'mov' } : format
    },
    async paintPreview(design, { id }) {
      const scene = createScene(design)
      return takePainter().call('paintPreview', { id, scene, isGliding: design.motion === 'glide' }, { transfer: listTransferables(scene) })
    },
    dispose() {
      painterWorker?.terminate()
      onDispose()
    },
  }
}
