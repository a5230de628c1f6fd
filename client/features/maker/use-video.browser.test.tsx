import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, it, vi } from 'vitest'
import { useFileDrop } from './open-file.tsx'
import type { Engine, OpenPictureResult, PreviewPicture, VideoDesign, VideoPicture, VideoStudio } from './use-maker.ts'
import { usePictureDrop, useVideoPictures, useVideoStudio } from './use-video.ts'
import { VideoPreview } from './video-fields.tsx'

let removePage = () => {}
afterEach(() => removePage())

/** Creates a root, into which elements are rendered one after the other. */
function createPage() {
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  removePage = () => {
    root.unmount()
    container.remove()
  }
  return {
    container,
    render: (element: ReactNode) => flushSync(() => root.render(element)),
  }
}

const pictureFile = new File(['a'], 'a.png', { type: 'image/png' })

function createFileTransfer(): DataTransfer {
  const data = new DataTransfer()
  data.items.add(pictureFile)
  return data
}

function DropPage({ onSong, onPicture }: { onSong: (files: readonly File[]) => void; onPicture: (file: File) => void }) {
  const isDraggedOver = useFileDrop(onSong, () => {})
  usePictureDrop(onPicture)
  return <input data-dragged={isDraggedOver} />
}

function renderDropPage() {
  const [onSong, onPicture] = [vi.fn(), vi.fn()]
  const { container, render } = createPage()
  render(<DropPage onSong={onSong} onPicture={onPicture} />)
  return { input: container.querySelector('input'), onSong, onPicture }
}

function StudioProbe({ engine, isOpen, onStudio }: { engine: Engine; isOpen: boolean; onStudio: (studio: unknown) => void }) {
  const studio = useVideoStudio(engine, isOpen)
  if (isOpen) onStudio(studio)
  return null
}

function PicturesProbe({
  studio,
  width,
  onDrawn,
}: {
  studio: VideoStudio
  width: number
  onDrawn: (source: VideoPicture | undefined) => void
}) {
  const { pictures } = useVideoPictures(studio, { width, height: 100 }, { name: 'a' })
  onDrawn(pictures.drawn?.source)
  return null
}

it('video: a picture dropped into the dialog is handled by the dialog alone, and the page shows no drag any more', async () => {
  const { input, onSong, onPicture } = renderDropPage()
  input?.dispatchEvent(new DragEvent('dragenter', { dataTransfer: createFileTransfer(), bubbles: true, cancelable: true }))
  await expect.poll(() => input?.getAttribute('data-dragged')).toBe('true')
  input?.dispatchEvent(new DragEvent('drop', { dataTransfer: createFileTransfer(), bubbles: true, cancelable: true }))
  await expect.poll(() => input?.getAttribute('data-dragged')).toBe('false')
  expect(onPicture).toHaveBeenCalledOnce()
  expect(onSong).not.toHaveBeenCalled()
})

it('video: pasting a text that comes with a picture inserts the text into a field; a pasted picture without text becomes the picture of the video', async () => {
  const { input, onSong, onPicture } = renderDropPage()
  const pasteData = (clipboardData: DataTransfer) =>
    input?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  const eventWithTextAndPicture = createFileTransfer()
  eventWithTextAndPicture.setData('text/plain', 'City Lights')
  expect(pasteData(eventWithTextAndPicture)).toBe(true)
  expect(onPicture).not.toHaveBeenCalled()
  expect(pasteData(createFileTransfer())).toBe(false)
  expect(onPicture).toHaveBeenCalledOnce()
  expect(onSong).not.toHaveBeenCalled()
})

it('video: each opening of the dialog creates a new video studio, and the studio of a closed dialog is not used again', async () => {
  const studioStubs = [0, 1].map(() => ({ dispose: vi.fn() }))
  const nextStudios = studioStubs.values()
  // The casts are safe, because the hook calls only these methods.
  const engine = { openVideoStudio: async () => nextStudios.next().value } as unknown as Engine
  const usedStudios: unknown[] = []
  const { render } = createPage()
  const renderProbe = (isOpen: boolean) =>
    render(<StudioProbe engine={engine} isOpen={isOpen} onStudio={(studio) => usedStudios.push(studio)} />)
  renderProbe(true)
  await expect.poll(() => usedStudios.at(-1)).toBe(studioStubs[0])
  renderProbe(false)
  await expect.poll(() => studioStubs[0]?.dispose.mock.calls.length).toBe(1)
  usedStudios.length = 0
  renderProbe(true)
  await expect.poll(() => usedStudios.at(-1)).toBe(studioStubs[1])
  expect(usedStudios).not.toContain(studioStubs[0])
})

it('video: the drawn cover has the size of the video, and replaced pictures are released', async () => {
  const closePicture = vi.fn()
  const openedPictures: OpenPictureResult[] = []
  const studioStub = {
    closePicture,
    async openPicture(source: VideoPicture) {
      const result = { kind: 'opened', picture: { id: openedPictures.length, source, durationS: 0 } } as const
      openedPictures.push(result)
      return result
    },
  } as Partial<VideoStudio> as VideoStudio
  let shownPicture: VideoPicture | undefined
  const { render } = createPage()
  const showWidth = (videoWidth: number) =>
    render(
      <PicturesProbe
        studio={studioStub}
        width={videoWidth}
        onDrawn={(source) => {
          shownPicture = source
        }}
      />,
    )
  for (const width of [100, 200]) {
    showWidth(width)
    await expect.poll(() => shownPicture).toMatchObject({ width, height: 100, seed: 'a' })
  }
  await expect.poll(() => closePicture.mock.calls).toMatchObject([[{ id: 0 }]])
})

it('video: the preview is painted again only if the design has changed', async () => {
  const paintPreview = vi.fn(() => createImageBitmap(new ImageData(1, 1)))
  const studioStub = { paintPreview } as Partial<VideoStudio> as VideoStudio
  const openedPicture: PreviewPicture = { id: 1, source: pictureFile, durationS: 0 }
  const videoDesign = { width: 320, height: 180 } as VideoDesign
  const { render } = createPage()
  const showPreview = (design: VideoDesign) =>
    render(<VideoPreview studio={studioStub} shape={design} design={design} picture={openedPicture} />)
  showPreview(videoDesign)
  showPreview(videoDesign)
  expect(paintPreview).toHaveBeenCalledOnce()
  showPreview({ ...videoDesign, height: 320 })
  expect(paintPreview).toHaveBeenCalledTimes(2)
})
