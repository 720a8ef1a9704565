"""An algorithm from outside the package: AlphaZero that counts its iterations."""
