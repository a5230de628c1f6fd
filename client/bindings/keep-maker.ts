import { useEffect } from 'react'
import { keepMaker } from '../platform/keep-maker.ts'

/** For the maker's page: once it was opened, it starts without a network. */
export function useKeepMaker(): void {
  useEffect(() => keepMaker(), [])
}
