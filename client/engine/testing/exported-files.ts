import { afterEach, beforeEach, vi } from 'vitest'
import { pageScope } from '../../primitives/scope.ts'

/**
 * Removes exported files after each test. The product keeps these files for minutes: their removal is a timeout, which this function
 * records and runs early. The test file must start no other timeouts.
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
