import { useCallback } from 'react'
import { saveFile } from '../platform/save-file.ts'
import { useSite } from './services.tsx'

/** Returns the function that downloads a text as a file whose name begins with the brand's id. */
export function useSaveText(): (fileName: string, mimeType: string, text: string) => void {
  const { brand } = useSite()
  return useCallback((fileName, mimeType, text) => saveFile(`${brand}-${fileName}`, new Blob([text], { type: mimeType })), [brand])
}
