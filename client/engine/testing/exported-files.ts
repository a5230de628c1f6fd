import { afterEach, beforeEach, vi } from 'vitest'
import { pageScope } from '../../primitives/scope.ts'

/**
 * Removes exported files after each test: it records the page's timeouts, of which a test file that calls this starts no others, and runs them. The
 * product keeps the files for minutes.
 */
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
