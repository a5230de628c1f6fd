import { useSyncExternalStore } from 'react'
import type { InstallMethod } from '../platform/install.ts'
import { useHostServices } from './services.tsx'

export function useAppInstaller(): { method: InstallMethod; device: 'phone' | 'tablet'; install(): Promise<boolean> } {
  const { install } = useHostServices()
  const installMethod = useSyncExternalStore(
    install.subscribe,
    () => install.method,
    () => 'none' as const,
  )
  return { method: installMethod, device: install.device, install: install.install }
}
