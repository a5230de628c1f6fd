/** Returns how the document was opened, and its address then; `undefined` on the server, and if the browser does not say. */
export const getNavigationEntry = (): PerformanceNavigationTiming | undefined =>
  performance.getEntriesByType('navigation').find((entry) => entry instanceof PerformanceNavigationTiming)
