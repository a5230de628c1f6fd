import { afterEach, beforeEach, vi } from 'vitest'
import { pageScope } from '../../primitives/scope.ts'

/** Removes the exported files after each test of a file, in which no other timeout of the page is started. The product keeps them for minutes. */
export function removeExportsAfterEach(): void {
  let removals: (() => void)[] = []
  let restoreTimeout = () => {}
  beforeEach(() => {
    const timeoutSpy = vi.spyOn(pageScope, 'timeout').mockImplementation((removeFile) => {
      removals.push(removeFile)
      return () => {}
    })
    restoreTimeout = () => timeoutSpy.mockRestore()
  })
  afterEach(() => {
    restoreTimeout()
    for (const removeFile of removals) removeFile()
    removals = []
  })
}
