import type { WorkerClient } from '../worker-client.ts'
import type { VideoCalls } from '../workers/calls.ts'
import { paintForeground, paintPicture } from './frame-painter.ts'
import { exampleVisualizerData } from './sound-analyser.ts'
import { createTextLayer } from './text-layer.ts'
import type { VideoStudio } from './video-design.ts'
import { createVideoWorker } from './video-export.ts'

/** @param onDispose called when the studio is disposed */
export function createVideoStudio(onDispose = () => {}): VideoStudio {
  let worker: WorkerClient<VideoCalls> | undefined
  const takeWorker = () => {
    worker ??= createVideoWorker()
    return worker
  }

  return {
    async openPicture(blob) {
      const opened = await takeWorker().call('openPicture', { blob })
      return opened === undefined ? { kind: 'undecodable' } : { kind: 'opened', picture: { blob, ...opened } }
    },
    async findFormat({ width, height }, sound) {
      const format = await takeWorker().call('findFormat', { width, height })
      return sound === 'lossless' && format?.container === 'mp4' ? { ...format, container: 'mov' } : format
    },
    paintPreview(canvas, design, { firstFrame, durationS }) {
      const { width, height, overlay, style } = design
      const frame = new OffscreenCanvas(width, height)
      const context = frame.getContext('2d')
      if (context === null) return
      const textLayer = createTextLayer(design)
      const scene = { width, height, overlay, style, textLayer }
      try {
        paintPicture(context, scene, firstFrame, firstFrame, durationS === 0 && design.motion === 'glide' ? 0 : undefined)
        paintForeground(context, scene, exampleVisualizerData())
      } finally {
        textLayer?.close()
      }
      canvas.width = width
      canvas.height = height
      canvas.getContext('2d')?.drawImage(frame, 0, 0)
    },
    dispose() {
      worker?.terminate()
      onDispose()
    },
  }
}
