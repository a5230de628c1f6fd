import { afterEach, beforeEach, vi } from 'vitest'
import { pageScope } from '../../primitives/scope.ts'

/**
 * Removes exported files after each test. The engine removes these files by a timeout of some minutes. This function records the timeouts
 * and runs them early. The test file must start no other timeouts.
 */
export function removeExportsAfterEach(): void {
  let fileRemovals: (() => void)[] = []
  let restoreTimeout = () => {}
  beforeEach(() => {
    const timeoutSpy = vi.spyOn(pageScope, 'timeout').mockImplementation((removeFile) => {
      fileRemovals.push(removeFile)
      return () => {}
    })
    restoreTimeout = () => timeoutSpy.mockRestore()
  })
  afterEach(() => {
    restoreTimeout()
    for (const removeFile of fileRemovals) removeFile()
    fileRemovals = []
  })
}
