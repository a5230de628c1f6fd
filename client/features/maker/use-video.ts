import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import type {
  Engine,
  LoadedSound,
  PreviewPicture,
  VideoDesign,
  VideoFormat,
  VideoPicture,
  VideoSound,
  VideoStudio,
} from '../../engine/engine.ts'
import { chooseFileHandle, saveFile, supportsSaveFilePicker } from '../../platform/save-file.ts'
import { addListener } from '../../primitives/scope.ts'
import { listEventFiles } from './open-file.tsx'
import { type ExportOutcome, useExportRunner } from './use-maker-export.ts'
import { describeCover } from './video-style.ts'

/** The source of a video's picture: the cover in the song's file, a cover drawn by this page, or a file that the person chose. */
export type PictureKind = 'cover' | 'drawn' | 'own'

export interface VideoPictures {
  /** The pictures that the person can choose, by their source. */
  readonly pictures: Partial<Record<PictureKind, PreviewPicture>>
  readonly chosen: PictureKind
  choose(kind: PictureKind): void
  /** Adds a file that the person chose. Resolves with whether the file is a picture or a clip that the browser can decode. */
  addOwnPicture(file: Blob): Promise<boolean>
}

/** Opens a video studio while `isOpen` is true. Returns `failed` if the code of the studio could not be loaded. */
export function useVideoStudio(engine: Engine, isOpen: boolean): VideoStudio | 'opening' | 'failed' {
  const [videoStudio, setStudio] = useState<VideoStudio | 'opening' | 'failed'>('opening')
  useEffect(() => {
    if (!isOpen) return
    let isStudioStale = false
    let openedStudio: VideoStudio | undefined
    engine.openVideoStudio().then(
      (newStudio) => {
        openedStudio = newStudio
        if (isStudioStale) newStudio.dispose()
        else setStudio(newStudio)
      },
      () => !isStudioStale && setStudio('failed'),
    )
    return () => {
      isStudioStale = true
      openedStudio?.dispose()
      setStudio('opening')
    }
  }, [engine, isOpen])
  return videoStudio
}

/**
 * Collects the pictures for a video: the cover in the song's file, which is chosen at first if there is one, a drawn cover, and a file of
 * the person.
 */
export function useVideoPictures(
  studio: VideoStudio,
  { width, height }: Pick<VideoDesign, 'width' | 'height'>,
  { name, cover }: Pick<LoadedSound, 'name' | 'cover'>,
): VideoPictures {
  const [previewPictures, setPictures] = useState<VideoPictures['pictures']>({})
  const [chosenKind, setChosen] = useState<PictureKind>()
  const addPicture = useCallback(
    async (kind: PictureKind, source: VideoPicture | undefined) => {
      const openedResult = source && (await studio.openPicture(source))
      if (openedResult?.kind !== 'opened') return false
      setPictures((current) => ({ ...current, [kind]: openedResult.picture }))
      return true
    },
    [studio],
  )
  useEffect(() => {
    addPicture('cover', cover).catch(() => false)
  }, [cover, addPicture])
  useEffect(() => {
    addPicture('drawn', describeCover({ width, height }, name)).catch(() => false)
  }, [width, height, name, addPicture])
  useRelease(studio, previewPictures.cover)
  useRelease(studio, previewPictures.drawn)
  useRelease(studio, previewPictures.own)
  return {
    pictures: previewPictures,
    chosen: chosenKind ?? (previewPictures.cover ? 'cover' : 'drawn'),
    choose: setChosen,
    async addOwnPicture(file) {
      const isAdded = await addPicture('own', file).catch(() => false)
      if (isAdded) setChosen('own')
      return isAdded
    },
  }
}

/** Releases the decoded picture when another one replaces it, and on unmount. */
function useRelease(studio: VideoStudio, picture: PreviewPicture | undefined): void {
  useEffect(() => () => picture && studio.closePicture(picture), [studio, picture])
}

/** Returns the format of the video that the browser can encode in this size; `checking` until it is known, `undefined` if there is none. */
export function useVideoFormat(
  studio: VideoStudio,
  { width, height }: Pick<VideoDesign, 'width' | 'height'>,
  sound: VideoSound,
): VideoFormat | 'checking' | undefined {
  const [videoFormat, setFormat] = useState<VideoFormat | 'checking' | undefined>('checking')
  useEffect(() => {
    let isFormatStale = false
    setFormat('checking')
    studio.findFormat({ width, height }, sound).then(
      (found) => !isFormatStale && setFormat(found),
      () => !isFormatStale && setFormat(undefined),
    )
    return () => {
      isFormatStale = true
    }
  }, [studio, width, height, sound])
  return videoFormat
}

/**
 * Passes on the first file that is dropped or pasted while the component is shown. The page behind the dialog does not receive the event.
 */
export function usePictureDrop(onFile: (file: File) => void): void {
  const takeFile = useEffectEvent(onFile)
  useEffect(() => {
    const takePictureFrom = (event: DragEvent | ClipboardEvent) => {
      const [droppedFile] = listEventFiles(event)
      if (droppedFile === undefined) return
      event.preventDefault()
      event.stopImmediatePropagation()
      takeFile(droppedFile)
    }
    const stopDrop = addListener(window, 'drop', takePictureFrom, { capture: true })
    const stopPaste = addListener(window, 'paste', takePictureFrom, { capture: true })
    return () => {
      stopDrop()
      stopPaste()
    }
  }, [])
}

export interface VideoExport {
  /** Renders the video, then starts a browser download. */
  download(design: VideoDesign, format: VideoFormat): Promise<ExportOutcome>
  /** Lets the person choose a file, then renders the video into it. Absent if the browser has no file picker for saving. */
  saveTo?(design: VideoDesign, format: VideoFormat): Promise<ExportOutcome>
}

export function useVideoExport(engine: Engine): VideoExport {
  const { run } = useExportRunner(engine)
  return {
    async download(design, format) {
      const outcome = await run(() => engine.exportVideo(design, format))
      if (outcome.kind === 'exported' && outcome.file) saveFile(outcome.fileName, outcome.file)
      return outcome
    },
    ...(supportsSaveFilePicker() && {
      async saveTo(design: VideoDesign, format: VideoFormat) {
        const videoFileName = engine.videoFileName(format)
        if (videoFileName === undefined) return { kind: 'no-sound' as const }
        try {
          const handle = await chooseFileHandle(videoFileName)
          return handle && (await run(() => engine.exportVideo(design, format, { handle })))
        } catch (error) {
          return { kind: 'failed' as const, reason: error instanceof Error ? error.message : String(error) }
        }
      },
    }),
  }
}

/** Returns a function that saves a thumbnail of 1280 × 720 pixels, the size that video platforms require. */
export function useSaveThumbnail(studio: VideoStudio): (design: VideoDesign, picture: PreviewPicture, name: string) => Promise<void> {
  return useCallback(
    async (design, picture, videoFileName) => {
      const previewFrame = await studio.paintPreview({ ...design, width: 1280, height: 720 }, picture)
      const canvas = new OffscreenCanvas(previewFrame.width, previewFrame.height)
      canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(previewFrame)
      saveFile(videoFileName, await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.92 }))
    },
    [studio],
  )
}
