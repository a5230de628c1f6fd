import { useEffect } from 'react'
import { cacheMaker } from './cache-maker.ts'

/** Caches the chunks of the maker page on mount, so that the page can be opened offline. */
export function useCacheMaker(): void {
  useEffect(() => cacheMaker(), [])
}
