/** Whether requests are served: while the server starts or stops, they are answered 503. */
export interface Lifecycle {
  state: 'starting' | 'ready' | 'stopping'
}
