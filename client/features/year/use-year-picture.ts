import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { useSite } from '../../hooks/services.tsx'
import { saveFile } from '../../platform/save-file.ts'
import type { ShownYear } from './use-year.ts'
import { drawYear, loadYearFonts } from './year-picture.ts'

interface YearPicture {
  canvas: RefObject<HTMLCanvasElement | null>
  /** Whether the device has a share sheet that accepts pictures. */
  canShare: boolean
  share(): Promise<void>
  download(): Promise<void>
}

const PICTURE_TYPE = 'image/png'

/** Draws the picture of a year on a canvas of this page, and shares or saves it. */
export function useYearPicture({ year, summary }: ShownYear): YearPicture {
  const { brand, settings } = useSite()
  const { NAME, DOMAIN } = settings
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    let isDrawingCurrent = true
    const drawPicture = () =>
      canvas.current && isDrawingCurrent && drawYear(canvas.current, { year, summary, siteName: NAME, siteDomain: DOMAIN })
    // Draws the picture immediately with the fonts that are already loaded, and again when the brand's fonts are loaded.
    drawPicture()
    void loadYearFonts().then(drawPicture)
    return () => {
      isDrawingCurrent = false
    }
  }, [year, summary, NAME, DOMAIN])

  const createPictureFile = useCallback(
    () =>
      new Promise<File>((resolve, reject) =>
        canvas.current?.toBlob(
          (blob) => (blob ? resolve(new File([blob], `${brand}-${year}.png`, { type: PICTURE_TYPE })) : reject(new Error('no picture'))),
          PICTURE_TYPE,
        ),
      ),
    [brand, year],
  )
  const downloadPicture = useCallback(async () => {
    const file = await createPictureFile()
    saveFile(file.name, file)
  }, [createPictureFile])
  return {
    canvas,
    canShare: navigator.canShare?.({ files: [new File([], 'year.png', { type: PICTURE_TYPE })] }) === true,
    download: downloadPicture,
    async share() {
      const pictureFile = await createPictureFile()
      try {
        await navigator.share({ files: [pictureFile] })
      } catch (error) {
        const isDismissed = error instanceof DOMException && error.name === 'AbortError'
        if (!isDismissed) saveFile(pictureFile.name, pictureFile)
      }
    },
  }
}
