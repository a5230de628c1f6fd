import { Component, type ErrorInfo, type ReactNode } from 'react'
import { AppFailure } from './app-failure.tsx'

/** The last net: whatever breaks outside of a route still gives a page with words and a way on. */
export class AppBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error(error, info.componentStack)
  }

  override render() {
    return this.state.failed ? <AppFailure /> : this.props.children
  }
}
