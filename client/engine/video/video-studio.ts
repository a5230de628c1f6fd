import type { WorkerClient } from '../worker-client.ts'
import type { VideoCalls } from '../workers/calls.ts'
import { createScene, transferOf } from './text-layer.ts'
import type { VideoStudio } from './video-design.ts'
import { createVideoWorker } from './video-export.ts'

/** @param onDispose called when the studio is disposed */
export function createVideoStudio(onDispose = () => {}): VideoStudio {
  let painter: WorkerClient<VideoCalls> | undefined
  let pictureCount = 0
  const takePainter = () => {
    painter ??= createVideoWorker()
    return painter
  }

  return {
    async openPicture(source) {
      const id = ++pictureCount
      const opened = await takePainter().call('openPicture', { id, source })
      return opened === undefined ? { kind: 'undecodable' } : { kind: 'opened', picture: { id, source, ...opened } }
    },
    closePicture({ id }) {
      // A failure is ignored, because a worker that has ended holds no pictures.
      painter?.call('closePicture', { id }).catch(() => {})
    },
    async findFormat({ width, height }, sound) {
      // A worker of its own, because the test of the encoders would delay the previews.
      const finder = createVideoWorker()
      try {
        const format = await finder.call('findFormat', { width, height })
        return sound === 'lossless' && format?.container === 'mp4' ? { ...format, container: 'mov' } : format
      } finally {
        finder.terminate()
      }
    },
    async paintPreview(design, { id }) {
      const scene = createScene(design)
      return takePainter().call('paintPreview', { id, scene, isGliding: design.motion === 'glide' }, { transfer: transferOf(scene) })
    },
    dispose() {
      painter?.terminate()
      onDispose()
    },
  }
}
