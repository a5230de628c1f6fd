/** State of the server process. Requests are answered with 503 unless it is `ready`. */
export interface Lifecycle {
  state: 'starting' | 'ready' | 'stopping'
}
