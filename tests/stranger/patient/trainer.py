"""The trainer of the algorithm `patient`."""

from stratagem.train.alphazero.trainer import Trainer as AlphaZeroTrainer

WORKED = []  # settings of every iteration


class Trainer(AlphaZeroTrainer):
    def _work(self, used):
        WORKED.append(self.settings.patience)
        return super()._work(used)
