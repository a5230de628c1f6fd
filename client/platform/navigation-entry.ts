/** Returns how the document was opened, and its address then; `undefined` on the server, and if the browser does not say. */
export const navigationEntry = (): PerformanceNavigationTiming | undefined =>
  performance.getEntriesByType('navigation').find((entry) => entry instanceof PerformanceNavigationTiming)
