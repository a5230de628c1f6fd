/** Revision that marks files of the precache manifest as cached on demand. */
export const ON_DEMAND_REVISION = 'on-demand'
