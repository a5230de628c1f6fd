import { useCallback } from 'react'
import { saveFile } from '../platform/save-file.ts'
import { useSite } from './services.tsx'

/** Hands a text to the browser's downloads, in a file that is called after the site. */
export function useSaveText(): (name: string, type: string, text: string) => void {
  const { brand } = useSite()
  return useCallback((name, type, text) => saveFile(`${brand}-${name}`, new Blob([text], { type })), [brand])
}
